package dev.kvorum.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MachineClockTest {
    private final Timeline timeline = new Timeline();
    private final MachineClock clock = new MachineClock(timeline);

    @Test
    void rightClockShowsTrueTime() {
        timeline.runUntil(1_500_000);

        assertThat(clock.nanos()).isEqualTo(1_500_000);
        assertThat(clock.wallMillis()).isEqualTo(MachineClock.EPOCH_MILLIS + 1);
    }

    @Test
    void wallClockIsSetAndTheOtherIsNot() {
        clock.set(Duration.ofSeconds(-3));

        assertThat(clock.wallMillis()).isEqualTo(MachineClock.EPOCH_MILLIS - 3000);
        assertThat(clock.nanos()).isZero();
    }

    @Test
    void changeOfRateDoesNotMakeItJump() {
        clock.run(2);
        timeline.runUntil(100);
        clock.run(0.5);
        timeline.runUntil(200);

        assertThat(clock.nanos()).isEqualTo(250);
        assertThat(clock.trueNanos(10)).isEqualTo(20);
    }
}
