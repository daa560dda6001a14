package dev.kvorum.node.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HybridClockTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final Duration AHEAD_MAX = Duration.ofSeconds(10);
    private static final long AUTHOR = 42;

    private final AtomicLong wall = new AtomicLong(NOW);
    private final HybridClock clock = new HybridClock(wall::get, AUTHOR, AHEAD_MAX, 0);

    private static Version at(long millis, int counter) {
        return new Version(millis << 16 | counter, 7);
    }

    @Test
    void versionCarriesTheTimeOfTheWallClockAndTheAuthor() {
        assertThat(clock.next()).isEqualTo(new Version(NOW << 16, AUTHOR));
    }

    @Test
    void versionsWithinAMillisecondAreCounted() {
        clock.next();

        assertThat(clock.next()).isEqualTo(new Version(NOW << 16 | 1, AUTHOR));
    }

    @Test
    void moreVersionsThanTheCounterHoldsRunIntoTheNextMillisecond() {
        for (int i = 0; i < 1 << 16; i++) {
            clock.next();
        }

        assertThat(clock.next()).isEqualTo(new Version((NOW + 1) << 16, AUTHOR));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 16);
    }

    /** The wall clock jumps a minute to either side, and versions from elsewhere come in between. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void versionsOnlyRiseWhateverTheWallClockDoes(long seed) {
        Random random = new Random(seed);
        Version last = clock.next();
        for (int i = 0; i < 2000; i++) {
            wall.set(NOW + random.nextInt(-60_000, 60_000));
            Version remote = at(wall.get() + random.nextInt(-60_000, 60_000), random.nextInt(1 << 16));
            boolean adopted = random.nextInt(4) == 0 && clock.observe(remote);

            Version next = clock.next();

            assertThat(next).isGreaterThan(last);
            if (adopted) {
                assertThat(next).isGreaterThan(remote);
            }
            last = next;
        }
    }

    @Test
    void nextVersionIsAboveTheOneObserved() {
        Version ahead = at(NOW + 5000, 3);

        assertThat(clock.observe(ahead)).isTrue();

        assertThat(clock.newest()).isEqualTo(ahead.hybridTime());
        assertThat(clock.next()).isEqualTo(new Version(ahead.hybridTime() + 1, AUTHOR));
    }

    @Test
    void olderVersionIsAcceptedAndChangesNothing() {
        Version issued = clock.next();

        assertThat(clock.observe(at(NOW - 1, 0))).isTrue();

        assertThat(clock.newest()).isEqualTo(issued.hybridTime());
    }

    @Test
    void versionAsFarAheadAsAllowedIsAdopted() {
        assertThat(clock.observe(at(NOW + AHEAD_MAX.toMillis(), 0))).isTrue();

        assertThat(clock.newest()).isEqualTo((NOW + AHEAD_MAX.toMillis()) << 16);
    }

    @Test
    void versionFurtherAheadIsRefusedAndNotAdopted() {
        assertThat(clock.observe(at(NOW + AHEAD_MAX.toMillis(), 1))).isFalse();
        assertThat(clock.observe(new Version(Long.MAX_VALUE, 7))).isFalse();

        assertThat(clock.next()).isEqualTo(new Version(NOW << 16, AUTHOR));
    }

    @Test
    void nothingIsIssuedBelowTheFloor() {
        long floor = (NOW + 60_000) << 16;
        HybridClock reborn = new HybridClock(wall::get, AUTHOR, AHEAD_MAX, floor);

        assertThat(reborn.next().hybridTime()).isEqualTo(floor + 1);
    }

    @Test
    void floorInThePastIsForgotten() {
        HybridClock reborn = new HybridClock(wall::get, AUTHOR, AHEAD_MAX, (NOW - 60_000) << 16);

        assertThat(reborn.next().hybridTime()).isEqualTo(NOW << 16);
    }

    @Test
    void floorIsTwoIntervalsAboveTheLastNote() {
        assertThat(HybridClock.floorAbove(NOW << 16 | 5, Duration.ofMillis(100)))
                .isEqualTo((NOW + 200) << 16 | 5);
    }

    @Test
    void whoHasNotedNothingHasNoFloor() {
        assertThat(HybridClock.floorAbove(0, Duration.ofMillis(100))).isZero();
    }

    /** The wall clock stands still: all threads take from one counter. */
    @Test
    void threadsNeverGetTheSameVersionAndEachSeesItsOwnRise() throws Exception {
        int threads = 4;
        int each = 20_000;
        CountDownLatch start = new CountDownLatch(threads);
        Set<Version> all = new HashSet<>();

        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<List<Version>>> issued = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                issued.add(pool.submit(() -> issue(each, start)));
            }
            for (Future<List<Version>> one : issued) {
                assertThat(one.get()).isSorted();
                all.addAll(one.get());
            }
        }

        assertThat(all).hasSize(threads * each);
    }

    private List<Version> issue(int count, CountDownLatch start) throws InterruptedException {
        start.countDown();
        start.await();
        List<Version> issued = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            issued.add(clock.next());
        }
        return issued;
    }

    @Test
    void leadIsHowFarTheNewestVersionIsAheadOfTheWallClock() {
        clock.next();
        assertThat(clock.lead()).isZero();

        assertThat(clock.observe(at(NOW + 5000, 3))).isTrue();
        assertThat(clock.lead()).isEqualTo(Duration.ofSeconds(5));

        wall.set(NOW + 7000);
        assertThat(clock.lead()).isEqualTo(Duration.ofSeconds(-2));
    }

    @Test
    void newestVersionIsAcceptedAgainThoughTheWallClockWasSetBack() {
        Version ahead = at(NOW + 5000, 3);
        assertThat(clock.observe(ahead)).isTrue();

        wall.set(NOW - 60_000);

        assertThat(clock.observe(ahead)).isTrue();
    }

    @Test
    void versionCanBeIssuedFurtherAhead() {
        HybridClock clock = new HybridClock(() -> 1000, 1, Duration.ofSeconds(10), 0);
        Version first = clock.next();

        assertThat(clock.next(4).hybridTime() - first.hybridTime()).isEqualTo(4 << 16);
        assertThat(clock.next(60_000).hybridTime() - first.hybridTime()).isEqualTo((4 + 2_500) << 16);
    }

    @Test
    void clockThatWasSetBackKnowsThatItIsTooFarAhead() {
        AtomicLong wall = new AtomicLong(50_000);
        HybridClock clock = new HybridClock(wall::get, 1, Duration.ofSeconds(10), 0);
        Version issued = clock.next();
        assertThat(clock.isTooFarAhead()).isFalse();

        wall.set(39_000);

        assertThat(clock.isTooFarAhead()).isTrue();
        assertThat(clock.isTooFarAhead(issued)).isTrue();
        wall.set(41_000);
        assertThat(clock.isTooFarAhead()).isFalse();
    }
}
