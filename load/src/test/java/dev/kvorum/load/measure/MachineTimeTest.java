package dev.kvorum.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTimeTest {
    private static final String LINE = "cpu  50 10 20 80 5 0 15 20 40 7";

    @Test
    void whatGuestsHadIsNotCountedTwice() {
        assertThat(MachineTime.of(LINE)).isEqualTo(new MachineTime(200, 85, 20));
    }

    @Test
    void sharesAreOfTheTimeBetween() {
        MachineTime between = new MachineTime(700, 185, 70).since(MachineTime.of(LINE));

        assertThat(between.restedPercent()).isEqualTo(20);
        assertThat(between.stolenPercent()).isEqualTo(10);
    }

    @Test
    void noTimeHasNoShares() {
        assertThat(new MachineTime(0, 0, 0).stolenPercent()).isZero();
    }

    @Test
    void thisMachineTells() {
        MachineTime now = MachineTime.now();

        assertThat(now.all()).isPositive().isGreaterThanOrEqualTo(now.rested() + now.stolen());
    }
}
