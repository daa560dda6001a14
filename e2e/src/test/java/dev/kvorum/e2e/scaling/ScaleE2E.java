package dev.kvorum.e2e.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Members join and leave while clients go on: nobody is left without an answer, and what was written before is there after. */
class ScaleE2E {
    private static final int KEYS = 300;

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3).withSpares(2));

    @Test
    void noRequestFailsAndNoWriteIsLostWhileTwoMembersJoinAndOthersLeave() {
        List<Node> all = cluster.get().nodesAndSpares();
        List<Node> three = all.subList(0, 3);
        List<Node> otherThree = all.subList(2, 5);
        EntityClient client = new EntityClient(cluster.get());
        for (int i = 0; i < KEYS; i++) {
            assertThat(client.put(cluster.node(1), "scale-" + i, client.fresh("" + i), Quorum.MAJORITY_OF_3)
                            .is(201))
                    .isTrue();
        }

        AtomicReference<List<Node>> known = new AtomicReference<>(three);
        Tally tally;
        try (Traffic traffic =
                Traffic.start(cluster.get(), TrafficPlan.calm("during-", Quorum.MAJORITY_OF_3), known::get)) {
            traffic.awaitMore(100);
            new MemberChange(cluster.get(), three, all).carryOut();
            known.set(otherThree);
            traffic.awaitMore(100);
            new MemberChange(cluster.get(), all, otherThree).carryOut();
            traffic.awaitMore(100);
            tally = traffic.stop();
        }

        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
        for (int i = 0; i < KEYS; i++) {
            assertThat(client.get(otherThree.getLast(), "scale-" + i, Quorum.MAJORITY_OF_3)
                            .answered()
                            .body())
                    .isEqualTo(client.fresh("" + i));
        }
    }
}
