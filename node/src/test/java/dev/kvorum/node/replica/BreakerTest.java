package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.replica.Breaker.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The breaker's table, line by line. */
class BreakerTest {
    private static final long FIRST = Breaker.BACK_OFF_MIN;

    private final List<State> changes = new ArrayList<>();
    private double chance;
    private final Breaker breaker = new Breaker(() -> chance, (state, why) -> changes.add(state));

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            breaker.failed(0, false, "as the test says");
        }
    }

    private void open() {
        fail(Breaker.FAILURES_MAX);
        changes.clear();
    }

    @Test
    void opensWithTheLastOfSoManyFailuresInARow() {
        fail(Breaker.FAILURES_MAX - 1);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);

        fail(1);

        assertThat(changes).containsExactly(State.OPEN);
    }

    @Test
    void successBetweenFailuresKeepsItClosed() {
        fail(Breaker.FAILURES_MAX - 1);
        breaker.succeeded(0, false, true);
        fail(Breaker.FAILURES_MAX - 1);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void opensOnSilence() {
        breaker.silent(0, "no answer");
        breaker.silent(0, "no answer");

        assertThat(changes).containsExactly(State.OPEN);
    }

    @Test
    void firstCallAfterTheBackOffIsTheOnlyProbe() {
        open();

        assertThat(breaker.beginProbe(FIRST - 1)).isFalse();
        assertThat(breaker.wantsProbe(FIRST)).isTrue();
        assertThat(breaker.beginProbe(FIRST)).isTrue();
        assertThat(breaker.beginProbe(FIRST)).isFalse();
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
    }

    @Test
    void closesWithAProbeThatIsAnsweredPromptly() {
        open();
        breaker.beginProbe(FIRST);

        breaker.succeeded(FIRST + 1, true, true);

        assertThat(changes).containsExactly(State.HALF_OPEN, State.CLOSED);
    }

    @Test
    void answerOfAnyCallClosesItAfterTheBackOffAndNotBefore() {
        open();

        breaker.succeeded(FIRST - 1, false, true);

        assertThat(breaker.state()).isEqualTo(State.OPEN);

        breaker.succeeded(FIRST, false, true);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void probeThatIsAnsweredLateMakesRoomForAnotherAtOnce() {
        open();
        breaker.beginProbe(FIRST);

        breaker.succeeded(2 * FIRST, true, false);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.wantsProbe(2 * FIRST)).isTrue();
    }

    @Test
    void probesThatFailDoubleTheBackOffUpToItsBound() {
        open();
        long now = FIRST;
        List<Long> backOffs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            assertThat(breaker.beginProbe(now)).isTrue();
            breaker.failed(now, true, "as the test says");
            long failed = now;
            while (!breaker.wantsProbe(now)) {
                now += FIRST;
            }
            backOffs.add((now - failed) / FIRST);
        }

        assertThat(backOffs).containsExactly(2L, 4L, 8L, 16L, 32L, 40L, 40L, 40L);
    }

    @Test
    void failureOfAnotherCallIsNotThatOfTheProbe() {
        open();
        breaker.beginProbe(FIRST);

        breaker.failed(FIRST + 1, false, "a call from before");

        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
    }

    @Test
    void probeThatNeverEndsIsReplacedByAnother() {
        open();
        breaker.beginProbe(FIRST);
        long overdue = FIRST + TimeUnit.SECONDS.toNanos(Breaker.PROBE_SECONDS_MAX);

        assertThat(breaker.beginProbe(overdue - 1)).isFalse();
        assertThat(breaker.beginProbe(overdue)).isTrue();
        assertThat(breaker.beginProbe(overdue)).isFalse();
    }

    @Test
    void chanceTakesUpToHalfOfTheBackOff() {
        chance = 0.999999;
        open();

        assertThat(breaker.wantsProbe(FIRST / 2 - 1)).isFalse();
        assertThat(breaker.wantsProbe(FIRST / 2 + 1000)).isTrue();
    }

    @Test
    void oneThatComesAndGoesIsLeftAloneLonger() {
        open();
        breaker.succeeded(FIRST, false, true);
        breaker.silent(FIRST, "no answer");

        assertThat(breaker.wantsProbe(FIRST + 2 * FIRST - 1)).isFalse();
        assertThat(breaker.wantsProbe(FIRST + 2 * FIRST)).isTrue();

        breaker.succeeded(3 * FIRST, false, true);
        long calm = 3 * FIRST + Breaker.CALM;
        breaker.silent(calm, "no answer");

        assertThat(breaker.wantsProbe(calm + FIRST)).isTrue();
    }

    @Test
    void ofCallsThatRaceOneIsTheProbe() {
        for (int round = 0; round < 2000; round++) {
            Breaker raced = new Breaker(() -> 0, (state, why) -> {});
            raced.silent(0, "no answer");

            long probes = IntStream.range(0, 4)
                    .parallel()
                    .filter(i -> raced.beginProbe(FIRST))
                    .count();

            assertThat(probes).isOne();
        }
    }
}
