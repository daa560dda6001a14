package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.node.verification.VerifiedCall;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The schedule by itself: which partition is due, and when. */
class DuePartitionsTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final Duration INTERVAL = Duration.ofHours(6);
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final ClusterView VIEW = ClusterView.of("n1", Topologies.of(1, "n1", "n2", "n3", "n4"));

    private final Verifications verifications = new Verifications(
            new MemoryStore("n1", key -> 0), Topologies.PARTITIONS, RepairCluster.GRACE, RepairCluster.SKEW);
    private final RepairSchedule schedule = new RepairSchedule(verifications, INTERVAL, NOW);

    private static int ofRank(int rank) {
        return IntStream.range(0, Topologies.PARTITIONS)
                .filter(partition -> Ranks.now(VIEW, partition, "n1") == rank)
                .findFirst()
                .orElseThrow();
    }

    private void verify(int partition, long at) {
        verifications.note(new VerifiedCall(partition, 1, false, at, Verifications.NEVER), at);
    }

    /** All but one have just been looked at. */
    private void onlyIsLeft(int partition) {
        for (int other = 0; other < Topologies.PARTITIONS; other++) {
            if (other != partition) {
                schedule.tried(other, NOW + 1000 * HOUR);
            }
        }
    }

    @Test
    void firstOwnerIsDueOneIntervalAfterTheLastVerification() {
        int partition = ofRank(0);
        onlyIsLeft(partition);
        verify(partition, NOW);

        assertThat(schedule.next(VIEW, NOW + 6 * HOUR - 1)).isEqualTo(-1);
        assertThat(schedule.next(VIEW, NOW + 6 * HOUR)).isEqualTo(partition);
    }

    @Test
    void otherOwnersAreDueHalfAnIntervalLaterEach() {
        int second = ofRank(1);
        onlyIsLeft(second);
        assertThat(schedule.next(VIEW, NOW + 9 * HOUR - 1)).isEqualTo(-1);
        assertThat(schedule.next(VIEW, NOW + 9 * HOUR)).isEqualTo(second);

        int third = ofRank(2);
        schedule.tried(second, NOW + 1000 * HOUR);
        schedule.tried(third, 0);
        assertThat(schedule.next(VIEW, NOW + 12 * HOUR - 1)).isEqualTo(-1);
        assertThat(schedule.next(VIEW, NOW + 12 * HOUR)).isEqualTo(third);
    }

    @Test
    void firstOwnerIsDueAtOnceForWhatNobodyHasVerified() {
        int partition = ofRank(0);
        onlyIsLeft(partition);

        assertThat(schedule.next(VIEW, NOW)).isEqualTo(partition);
    }

    @Test
    void memberThatIsNoOwnerIsNeverDue() {
        int partition = ofRank(3);
        onlyIsLeft(partition);

        assertThat(schedule.next(VIEW, NOW + 500 * HOUR)).isEqualTo(-1);
        assertThat(schedule.next(ClusterView.of("n9", VIEW.topology()), NOW + 500 * HOUR))
                .isEqualTo(-1);
    }

    @Test
    void oneThatHasWaitedTheLongestComesFirst() {
        int[] mine = IntStream.range(0, Topologies.PARTITIONS)
                .filter(partition -> Ranks.now(VIEW, partition, "n1") == 0)
                .toArray();
        onlyIsLeft(-1);
        schedule.tried(mine[0], NOW + HOUR);
        schedule.tried(mine[1], NOW);
        schedule.tried(mine[2], NOW);

        assertThat(schedule.next(VIEW, NOW + 8 * HOUR)).isEqualTo(mine[1]);
    }

    /** Else a partition would not be looked at until that time has come. */
    @Test
    void verificationOfATimeThatHasNotComeCountsForNothing() {
        int partition = ofRank(0);
        onlyIsLeft(partition);
        verify(partition, NOW + 100 * HOUR);

        assertThat(schedule.next(VIEW, NOW + 100 * HOUR - 1)).isEqualTo(partition);
        assertThat(schedule.next(VIEW, NOW + 100 * HOUR)).isEqualTo(-1);
    }

    @Test
    void onlyOwnedPartitionsAreCounted() {
        long owned = IntStream.range(0, Topologies.PARTITIONS)
                .filter(partition -> Ranks.now(VIEW, partition, "n1") < 3)
                .count();

        assertThat(schedule.owned(VIEW)).isEqualTo((int) owned).isLessThan(Topologies.PARTITIONS);
        assertThat(schedule.owned(ClusterView.of("n9", VIEW.topology()))).isZero();
    }
}
