package dev.kvorum.e2e.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Kill;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Processes that die: what they acknowledged is with the system, and is there when they are back. */
class CrashE2E {
    private static final int KEYS = 100;

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3));

    @Test
    void acknowledgedWritesAreThereAfterAllNodesWereKilledAtOnce() {
        EntityClient client = new EntityClient(cluster.get());
        for (int i = 0; i < KEYS; i++) {
            client.put(cluster.node(1), "crash-" + i, client.fresh("" + i), Quorum.MAJORITY_OF_3)
                    .expect(201);
        }

        List<Kill> kills = cluster.get().nodes().stream().map(Kill::of).toList();
        kills.parallelStream().forEach(Kill::close);

        for (int i = 0; i < KEYS; i++) {
            assertThat(client.get(cluster.node(2), "crash-" + i, Quorum.MAJORITY_OF_3)
                            .expect(200)
                            .body())
                    .isEqualTo(client.fresh("" + i));
        }
    }

    /** The history is judged when the scenario has ended: no read may have missed what was acknowledged. */
    @Test
    void noAcknowledgedWriteIsMissedWhileOneNodeAfterTheOtherIsKilled() {
        Tally tally;
        try (Traffic traffic = Traffic.start(cluster.get(), TrafficPlan.calm("kills-", Quorum.MAJORITY_OF_3))) {
            for (Node node : cluster.get().nodes()) {
                traffic.awaitMore(150);
                Kill.of(node).close();
            }
            traffic.awaitMore(150);
            tally = traffic.stop();
        }

        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
    }
}
