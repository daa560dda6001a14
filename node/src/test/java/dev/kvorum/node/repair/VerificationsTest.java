package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VerificationsTest {
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final long START = RepairCluster.START;
    private static final long SKEW = RepairCluster.SKEW.toMillis();

    private final MemoryStore store = new MemoryStore("n1", key -> 0);
    private Verifications verifications = fresh();

    private Verifications fresh() {
        return new Verifications(store, 200, RepairCluster.GRACE, RepairCluster.SKEW);
    }

    @Test
    void newPartitionWasNeverVerified() {
        assertThat(verifications.verified(7)).isEqualTo(Verifications.NEVER);
        assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);
    }

    @Test
    void nothingMayBeDroppedBeforeTwoVerificationsAreAGracePeriodApart() {
        for (int day = 0; day < 10; day++) {
            verifications.note(7, START + day * DAY);
            assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);
        }

        verifications.note(7, START + 10 * DAY);

        assertThat(verifications.droppableBefore(7)).isEqualTo(START - SKEW);
        assertThat(verifications.droppableBefore(8)).isEqualTo(Verifications.NEVER);
    }

    @Test
    void whatMayBeDroppedIsAtMostTwoGracePeriodsOld() {
        for (int day = 0; day < 100; day++) {
            verifications.note(7, START + day * DAY);
            if (day >= 20) {
                assertThat(verifications.droppableBefore(7))
                        .isBetween(START + (day - 20) * DAY - SKEW, START + (day - 10) * DAY - SKEW);
            }
        }
    }

    @Test
    void verificationsSurviveARestart() {
        verifications.note(7, START);
        verifications.note(7, START + 11 * DAY);
        verifications.note(199, START + DAY);

        verifications = fresh();
        verifications.load().block();

        assertThat(verifications.verified(7)).isEqualTo(START + 11 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(START - SKEW);
        assertThat(verifications.verified(199)).isEqualTo(START + DAY);
        assertThat(verifications.verified(63)).isEqualTo(Verifications.NEVER);
    }

    @Test
    void partitionThatIsRegainedIsNotLostAnyMoreButNotVerifiedEither() {
        verifications.rebuild(START);
        assertThat(verifications.isRebuilding(7)).isTrue();

        verifications.regained(7, START - 1); // As of the disk before.
        assertThat(verifications.isRebuilding(7)).isTrue();
        verifications.regained(7, verifications.lost());

        assertThat(verifications.isRebuilding(7)).isFalse();
        assertThat(verifications.isRebuilding(8)).isTrue();
        assertThat(verifications.verified(7)).isEqualTo(Verifications.NEVER);
        verifications = fresh();
        verifications.load().block();
        verifications.rebuild(START);
        assertThat(verifications.isRebuilding(7)).isFalse();
    }

    /** Of what was lost last, versions may be ahead of the clock; scheduled comparisons leave them out. */
    @Test
    void partitionIsRegainedByAComparisonOfAllThatMayHaveBeenLost() {
        verifications.rebuild(START);
        verifications.note(7, START + DAY);
        verifications.regainedBefore(7, START + SKEW);
        assertThat(verifications.isRebuilding(7)).isTrue();

        verifications.regainedBefore(7, START + SKEW + 1);

        assertThat(verifications.isRebuilding(7)).isFalse();
    }

    /** The clock was a year ahead for a while: what it said then must not count as a year of holding, nor for a year. */
    @Test
    void clockThatWasAheadAndIsSetRightBeginsTheGracePeriodAnew() {
        verifications.note(7, START + 365 * DAY);

        verifications.note(7, START);
        verifications.note(7, START + 9 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);

        verifications.note(7, START + 10 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(START - SKEW);
    }
}
