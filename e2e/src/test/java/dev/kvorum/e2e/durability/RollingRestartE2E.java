package dev.kvorum.e2e.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** All nodes are restarted, one after the other, as an update does it: clients ask another node once, and none is left without an answer. */
@Tag("minutes")
class RollingRestartE2E {
    /** Said by a node that is stopped: it is not there, or takes no more. */
    private static final Set<String> BY_A_STOPPED_NODE = Set.of(Tally.NONE, "503");

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3));

    @Test
    void noRequestFailsWhileAllNodesAreRestartedInTurn() {
        Tally tally;
        try (Traffic traffic = Traffic.start(cluster.get(), TrafficPlan.calm("rolling-", Quorum.MAJORITY_OF_3))) {
            traffic.awaitMore(200);
            for (Node node : cluster.get().nodes()) {
                node.stop();
                assertThat(node.state().getExitCodeLong()).isEqualTo(Node.EXIT_BY_SIGTERM);
                traffic.awaitMore(100);
                node.start();
                node.awaitReady();
                traffic.awaitMore(200);
            }
            tally = traffic.stop();
        }

        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
        assertThat(tally.refusals().values())
                .as("%s, %s", tally, tally.toldRefusals())
                .allSatisfy(ofNode -> assertThat(ofNode.keySet()).isSubsetOf(BY_A_STOPPED_NODE));
    }
}
