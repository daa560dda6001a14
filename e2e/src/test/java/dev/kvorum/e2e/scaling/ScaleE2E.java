package dev.kvorum.e2e.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.MemberReport;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Cut;
import dev.kvorum.e2e.fault.Fault;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Members join and leave while clients go on: nobody is left without an answer, and what was written before and meanwhile is there after. */
@Tag("minutes")
class ScaleE2E {
    private static final int KEYS = 300;

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3)
            .withSpares(2)
            .with("kvorum.repair.load-max=100")); // The clients keep all processors busy.

    @Test
    void noRequestFailsAndNoWriteIsLostWhileTwoMembersJoinAndOthersLeave() {
        List<Node> all = cluster.get().nodesAndSpares();
        List<Node> firstTwo = all.subList(0, 2);
        List<Node> lastTwo = all.subList(3, 5);
        List<Node> lastThree = all.subList(2, 5);
        EntityClient client = new EntityClient(cluster.get());
        for (int i = 0; i < KEYS; i++) {
            client.put(cluster.node(1), "scale-" + i, client.fresh("" + i), Quorum.MAJORITY_OF_3)
                    .expect(201);
        }

        AtomicReference<List<Node>> known = new AtomicReference<>(all.subList(0, 3));
        TrafficPlan plan = TrafficPlan.calm("during-", Quorum.MAJORITY_OF_3);
        Tally tally;
        try (Traffic traffic = Traffic.start(cluster.get(), plan, known::get)) {
            traffic.awaitMore(100);
            new MemberChange(cluster.get(), cluster.node(1), lastTwo, List.of()).carryOut();
            known.set(all);
            traffic.awaitMore(200);
            known.set(lastThree);
            new MemberChange(cluster.get(), cluster.node(3), List.of(), firstTwo).carryOut();
            traffic.awaitMore(100);
            tally = traffic.stop();
        }

        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
        assertThat(tally.refusals()).as("%s", tally).isEmpty();
        for (Node node : lastThree) {
            assertThat(MemberReport.of(node).pendingDrops()).as("%s", node).isZero();
        }
        readAll(client, plan, lastThree);
        for (Node node : lastThree) {
            assertHeldAlone(client, node, lastThree);
        }
    }

    /** What they are answered is judged with the history, in which all writes are. */
    private static void readAll(EntityClient client, TrafficPlan plan, List<Node> members) {
        for (int i = 0; i < plan.keys(); i++) {
            for (Node node : members) {
                Reply read = client.get(node, plan.prefix() + i, Quorum.MAJORITY_OF_3);
                assertThat(read.isServed()).as("%s", read).isTrue();
            }
        }
    }

    private static void assertHeldAlone(EntityClient client, Node node, List<Node> members) {
        try (Fault alone = Cut.around(node, members)) {
            for (int i = 0; i < KEYS; i++) {
                Reply read = client.get(node, "scale-" + i, Quorum.ONE_OF_3);
                assertThat(read.answered().body()).as("%s of %s", read, node).isEqualTo(client.fresh("" + i));
            }
        }
    }
}
