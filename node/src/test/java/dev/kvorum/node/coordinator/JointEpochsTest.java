package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Operations by an epoch in which members change: writes need the owners before and after that, reads either. */
class JointEpochsTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final Version VERSION = new Version(ManualCluster.NOW << 16, 42);

    private final ManualCluster cluster = new ManualCluster();

    private CompletableFuture<WriteOutcome> write() {
        CompletableFuture<WriteOutcome> answer = new CompletableFuture<>();
        var _ = cluster.writes()
                .write(KEY, Draft.ofValue(new byte[] {7}), AskedQuorums.said(TWO_OF_THREE))
                .subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    /** n4 takes the place of n3. */
    private void publishChange(Reads reads) {
        cluster.membership.offer(new Topology(
                "demo",
                2,
                3,
                Topologies.PARTITIONS,
                List.of(
                        Topologies.member("n1"),
                        Topologies.member("n2"),
                        Topologies.member("n3", MemberState.LEAVING),
                        Topologies.member("n4", MemberState.JOINING)),
                reads));
    }

    @Test
    void writeDuringAChangeNeedsTheOwnersBeforeAndAfterIt() {
        publishChange(Reads.CURRENT);
        CompletableFuture<WriteOutcome> answer = write();

        cluster.n1.stores();
        cluster.n3.stores();

        assertThat(answer).isNotDone();

        cluster.n4.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
    }

    @Test
    void writeDuringAChangeFailsAsSoonAsEitherOwnersAreOutOfReach() {
        publishChange(Reads.CURRENT);
        CompletableFuture<WriteOutcome> answer = write();
        cluster.n1.stores();
        cluster.n3.stores();
        cluster.n2.fails(Reason.BROKEN);

        assertThat(answer).isNotDone();

        cluster.n4.fails(Reason.BROKEN);

        assertThat(answer)
                .isCompletedWithValue(new WriteOutcome.Unavailable(new Shortfall(
                        TWO_OF_THREE,
                        1,
                        List.of(cluster.n2.failure(Reason.BROKEN), cluster.n4.failure(Reason.BROKEN)))));
        assertThat(cluster.hints.waiting()).containsOnlyKeys("n2", "n4");
    }

    @Test
    void readsDuringAChangeAskTheOwnersThatTheTopologySays() {
        publishChange(Reads.CURRENT);
        var _ = cluster.reads().read(KEY, AskedQuorums.said(TWO_OF_THREE)).subscribe();

        assertThat(cluster.n3.reads()).isOne();
        assertThat(cluster.n4.reads()).isZero();

        ManualCluster later = new ManualCluster();
        later.membership.offer(new Topology(
                "demo",
                3,
                3,
                Topologies.PARTITIONS,
                cluster.membership.view().topology().members(),
                Reads.NEXT));
        var _ = later.reads().read(KEY, AskedQuorums.said(TWO_OF_THREE)).subscribe();

        assertThat(later.n3.reads()).isZero();
        assertThat(later.n4.reads()).isOne();
    }

    @Test
    void planIsAsEverWhileNobodyJoinsOrLeaves() {
        ReplicaPlan plan = cluster.plans().forWrite(KEY, AskedQuorums.said(TWO_OF_THREE));

        assertThat(plan.joint()).isNull();
        assertThat(plan.replicas()).hasSize(3);
        assertThat(plan.copies()).isEqualTo(3);
    }
}
