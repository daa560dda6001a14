package dev.kvorum.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.kubernetes.Kubernetes;
import dev.kvorum.e2e.kubernetes.ManagedCluster;
import dev.kvorum.e2e.kubernetes.ScenarioCluster;
import dev.kvorum.e2e.kubernetes.StoredKeys;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/** Nodes are spread over zones. */
@ResourceLock(value = Kubernetes.MACHINES, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class ZonesE2E {
    private static final int KEYS = 300;
    private static final String SPEC =
            "zones: [a, b, c], partitions: 256, storage: {size: 1Gi, retention: Delete}, resources: {limits: {memory: 512Mi}}";

    @RegisterExtension
    final ScenarioCluster scenario = ScenarioCluster.none();

    @Test
    void eachNodeRunsInItsZoneAlsoWhereThereAreMoreOfThem() {
        Assumptions.assumeTrue(
                Kubernetes.zones().containsAll(List.of("a", "b", "c")),
                "The machines of this Kubernetes are not in zones a, b and c");
        ManagedCluster cluster = scenario.get();
        cluster.apply("{" + SPEC + "}");
        cluster.awaitReady();
        assertInTheirZones(cluster, "demo-a-0", "demo-b-0", "demo-c-0");
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        try (Traffic traffic = Traffic.start(
                cluster.recorder(),
                TrafficPlan.calm("during-", Quorum.MAJORITY_OF_3).withRate(50).withClients(4),
                cluster::endpoints)) {
            cluster.scale(4);
            cluster.awaitReady();
            traffic.awaitMore(100);
        }

        assertInTheirZones(cluster, "demo-a-0", "demo-a-1", "demo-b-0", "demo-c-0");
        keys.assertAllThere();
    }

    private static void assertInTheirZones(ManagedCluster cluster, String... members) {
        assertThat(cluster.members()).containsExactly(members);
        for (String member : members) {
            assertThat("demo-" + Kubernetes.zoneOf(cluster.machineOf(member)))
                    .as("the zone of %s", member)
                    .isEqualTo(member.substring(0, member.lastIndexOf('-')));
        }
    }
}
