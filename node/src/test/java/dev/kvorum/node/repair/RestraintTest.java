package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RestraintTest {
    private static final double MAX = 0.6;

    private final AtomicInteger wanted = new AtomicInteger();
    private final Restraint restraint = new Restraint(MAX, wanted::incrementAndGet);

    private void stay(double load, int samples) {
        for (int i = 0; i < samples; i++) {
            restraint.sample(load);
        }
    }

    @Test
    void nothingRestsWhileThereIsTimeLeft() {
        stay(MAX, 100);

        assertThat(restraint.nanosPerKib()).isZero();
    }

    @Test
    void restGrowsWithinASecondToItsEndAndNoFurther() {
        stay(0.7, 1);
        assertThat(restraint.nanosPerKib()).isEqualTo(Restraint.FIRST_NANOS);

        stay(0.7, 10);
        assertThat(restraint.nanosPerKib()).isEqualTo(Restraint.LONGEST_NANOS);

        stay(1, 1000);
        assertThat(restraint.nanosPerKib())
                .as("a busy cluster still moves data")
                .isEqualTo(Restraint.LONGEST_NANOS);
    }

    @Test
    void restEndsWhenThereIsTimeAgain() {
        stay(1, 100);
        stay(0.3, 10);
        assertThat(restraint.nanosPerKib()).isBetween(Restraint.FIRST_NANOS, Restraint.LONGEST_NANOS / 2);

        stay(0.3, 100);
        assertThat(restraint.nanosPerKib()).isZero();
    }

    @Test
    void oneBusyMomentOfFourKeepsItFromEnding() {
        for (int i = 0; i < 100; i++) {
            stay(0.9, 1);
            stay(0.2, 3);
        }

        assertThat(restraint.nanosPerKib()).isGreaterThan(Restraint.LONGEST_NANOS / 2);
    }

    @Test
    void loadThatIsNotKnownChangesNothing() {
        stay(1, 3);
        long before = restraint.nanosPerKib();

        stay(-1, 100);
        stay(Double.NaN, 100);

        assertThat(restraint.nanosPerKib()).isEqualTo(before);
    }

    @Test
    void whoeverAllowsAllOfThemIsNeverHeldBack() {
        Restraint none = new Restraint(1, () -> {});

        for (int i = 0; i < 100; i++) {
            none.askNanosPerKib();
            none.sample(1);
        }

        assertThat(none.askNanosPerKib()).isZero();
        assertThat(none.needsLoad()).isFalse();
    }

    @Test
    void loadIsOfUseOnceSomebodyHasAskedAndUntilNothingRests() {
        assertThat(restraint.needsLoad()).as("nobody has asked").isFalse();

        restraint.nanosPerKib();
        assertThat(restraint.needsLoad()).as("looking is not asking").isFalse();

        assertThat(wanted).hasValue(0);

        restraint.askNanosPerKib();
        restraint.askNanosPerKib();
        assertThat(restraint.needsLoad()).isTrue();
        assertThat(wanted).hasValue(1);

        stay(0.3, 1);
        assertThat(restraint.needsLoad()).as("nobody has asked since").isFalse();

        stay(0.9, 1);
        assertThat(restraint.needsLoad()).as("a rest that is to end").isTrue();

        stay(0.3, 100);
        assertThat(restraint.needsLoad()).isFalse();
    }

    @Test
    void loadOfNothingMakesARestShorter() {
        stay(1, 3);
        long before = restraint.nanosPerKib();

        stay(0, 1);

        assertThat(restraint.nanosPerKib()).isEqualTo((long) (before * 0.9));
    }

    @Test
    void restThatIsNegligibleIsNone() {
        stay(1, 1);

        long least = restraint.nanosPerKib();
        for (int i = 0; i < 100 && restraint.nanosPerKib() > 0; i++) {
            least = restraint.nanosPerKib();
            stay(0.3, 1);
        }

        assertThat(least).isGreaterThanOrEqualTo(Restraint.FIRST_NANOS / 10);
        assertThat((long) (least * 0.9)).isLessThan(Restraint.FIRST_NANOS / 10);
    }

    @Test
    void askingTellsTheRest() {
        stay(1, 1);

        assertThat(restraint.askNanosPerKib()).isEqualTo(Restraint.FIRST_NANOS);
    }
}
