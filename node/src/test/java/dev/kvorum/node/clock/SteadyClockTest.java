package dev.kvorum.node.clock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final long MILLI = 1_000_000;
    private static final long START = 1_700_000_000_000L;

    private long wall = START;
    private long nanos = 77 * MILLI;
    private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);

    private void pass(long millis) {
        wall += millis;
        nanos += millis * MILLI;
    }

    @Test
    void beginsWithWallTimeAndPassesWithIt() {
        assertThat(clock.millis()).isEqualTo(START);

        pass(1_500);

        assertThat(clock.millis()).isEqualTo(START + 1_500);
        assertThat(clock.step()).isZero();
    }

    @Test
    void goesOnWhenTheWallClockIsSet() {
        wall -= 3_600_000;
        pass(10);

        assertThat(clock.millis()).isEqualTo(START + 10);
        assertThat(clock.step()).isEqualTo(-3_600_000);
    }

    @Test
    void adoptsAStepAtOnce() {
        wall += 40_000;
        clock.adoptStep();

        assertThat(clock.millis()).isEqualTo(START + 40_000);
        assertThat(clock.step()).isZero();
    }

    @Test
    void approachesAStepByAHundredthOfTheTimeThatPasses() {
        wall += 40_000;
        clock.approachStep(1_000);
        assertThat(clock.millis()).isEqualTo(START + 10);

        wall -= 80_000;
        clock.approachStep(1_000);
        assertThat(clock.millis()).isEqualTo(START);
    }

    @Test
    void approachesASmallStepNoFurtherThanItIs() {
        wall += 3;
        clock.approachStep(1_000);

        assertThat(clock.millis()).isEqualTo(START + 3);
    }
}
