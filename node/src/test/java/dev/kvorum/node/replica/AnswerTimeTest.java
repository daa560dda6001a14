package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AnswerTimeTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AnswerTime times = new AnswerTime();

    private long record(long from, int count, long nanos) {
        for (int i = 0; i < count; i++) {
            times.record(from + i * MILLI, nanos);
        }
        return from + count * MILLI;
    }

    @Test
    void nothingIsKnownAtFirst() {
        assertThat(times.average(0)).isZero();
        assertThat(times.p99(0)).isZero();
    }

    @Test
    void firstAnswerIsTheAverage() {
        times.record(SECOND, 3 * MILLI);

        assertThat(times.average(SECOND)).isCloseTo(3.0 * MILLI, within(1.0));
    }

    @Test
    void averageFollowsAReplicaThatSlowsDownWithinSomeHundredMillis() {
        long now = record(0, 1000, MILLI / 2);

        now = record(now, 300, 5 * MILLI);

        assertThat(times.average(now)).isCloseTo(5.0 * MILLI, withPercentage(10));
    }

    @Test
    void averageIsHalvedWhereNothingIsHeard() {
        long now = record(0, 100, 8 * MILLI) - MILLI;

        assertThat(times.average(now + 4 * SECOND)).isCloseTo(2.0 * MILLI, withPercentage(1));
    }

    @Test
    void percentileIsThatOfTheRecordedTimesToTwelvePercent() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long[] all = new long[4000];
        for (int i = 0; i < all.length; i++) {
            all[i] = (long) (MILLI * Math.exp(random.nextGaussian()));
            times.record(i * MILLI, all[i]);
        }
        Arrays.sort(all);

        long p99 = times.p99(4 * SECOND);

        assertThat((double) p99)
                .as("seed " + seed)
                .isBetween(all[(int) (all.length * 0.99) - 1] * 0.999, all[(int) (all.length * 0.99)] * 1.13);
    }

    @Test
    void percentileOfOneValueHoldsForAllMagnitudes() {
        for (long nanos = 1; nanos < 8 * SECOND; nanos = nanos * 3 / 2 + 1) {
            RecentQuantile quantile = new RecentQuantile();
            quantile.record(0, nanos);

            assertThat((double) quantile.get(0)).isBetween((double) nanos, nanos * 1.126 + 1024);
        }
    }

    @Test
    void valueBeyondAllBucketsFallsIntoTheLast() {
        RecentQuantile quantile = new RecentQuantile();
        quantile.record(0, Long.MAX_VALUE);
        quantile.record(0, -1);

        assertThat(quantile.get(0)).isGreaterThan(8 * SECOND);
    }

    @Test
    void percentileForgetsWhatIsOlderThanTwoWindows() {
        record(0, 1000, 5 * MILLI);
        long later = 2L * RecentQuantile.WINDOW_SECONDS * SECOND;
        record(later, 1000, MILLI / 4);

        assertThat(times.p99(later + SECOND)).isLessThan(MILLI / 2);
    }

    /** Both windows hold something, and none was recorded in that between the last of them and now. */
    @Test
    void percentileForgetsBothWindowsAfterALullOfOne() {
        long window = RecentQuantile.WINDOW_SECONDS * SECOND;
        record(8 * window, 1000, MILLI / 4);
        record(9 * window, 1000, 5 * MILLI);
        record(10 * window, 1000, MILLI / 4);

        record(12 * window, 1000, MILLI / 4);

        assertThat(times.p99(12 * window + SECOND)).isLessThan(MILLI / 2);
    }

    @Test
    void percentileRemembersTheWindowBefore() {
        record(0, 1000, 5 * MILLI);
        long next = RecentQuantile.WINDOW_SECONDS * SECOND;
        record(next, 1000, MILLI / 4);

        assertThat(times.p99(next + SECOND)).isGreaterThan(4 * MILLI);
    }

    @Test
    void callThatWasNotWaitedForCountsOnlyWhereItTookLongerThanBelieved() {
        long now = record(0, 1000, MILLI);
        double average = times.average(now);

        for (int i = 0; i < 1000; i++) {
            times.recordAtLeast(now, MILLI / 4);
        }

        assertThat(times.average(now)).isEqualTo(average);
        assertThat(times.p99(now + SECOND / 10)).isBetween(MILLI, 2 * MILLI);

        for (int i = 0; i < 1000; i++) {
            times.recordAtLeast(now + i * MILLI, 9 * MILLI);
        }

        assertThat(times.average(now + SECOND)).isGreaterThan(8.0 * MILLI);
        assertThat(times.p99(now + SECOND)).isGreaterThan(8 * MILLI);
    }
}
