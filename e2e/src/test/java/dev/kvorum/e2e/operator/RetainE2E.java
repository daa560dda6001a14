package dev.kvorum.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.kubernetes.Kubernetes;
import dev.kvorum.e2e.kubernetes.ManagedCluster;
import dev.kvorum.e2e.kubernetes.ScenarioCluster;
import dev.kvorum.e2e.kubernetes.StoredKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/** What outlives a cluster, and what does not. */
@ResourceLock(value = Kubernetes.MACHINES, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class RetainE2E {
    private static final int KEYS = 300;
    private static final String LIMITS = "resources: {limits: {memory: 512Mi}}";
    private static final String RETAINED = "{storage: {size: 1Gi, retention: Retain}, " + LIMITS + "}";

    @RegisterExtension
    final ScenarioCluster scenario = ScenarioCluster.of(RETAINED);

    @Test
    void aClusterMadeAnewGoesOnWithTheVolumesThatWereRetained() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);
        String volume = cluster.uidOfClaim("data-demo-0");

        cluster.delete();
        cluster.await("all pods are gone", () -> cluster.pods().isEmpty());
        assertThat(cluster.claims()).hasSize(3);
        cluster.apply(RETAINED);
        cluster.awaitReady();

        assertThat(cluster.uidOfClaim("data-demo-0")).isEqualTo(volume);
        keys.assertAllThere();
    }

    @Test
    @Tag("minutes")
    void theVolumeOfARemovedNodeStaysAndIsNeverUsedAgain() {
        ManagedCluster cluster = scenario.get();
        cluster.scale(4);
        cluster.awaitReady();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);
        cluster.scale(3);
        cluster.awaitReady();
        cluster.await("the former member's pod is gone", () -> cluster.pods().size() == 3);
        String kept = cluster.uidOfClaim("data-demo-3");

        cluster.scale(4);
        cluster.awaitCondition("Degraded", "True", "KeptVolumes");
        cluster.deleteClaim("data-demo-3");
        cluster.awaitReady();

        assertThat(cluster.members()).hasSize(4);
        assertThat(cluster.uidOfClaim("data-demo-3")).isNotEqualTo(kept);
        keys.assertAllThere();
    }

    @Test
    @Tag("minutes")
    void nothingRemainsOfADeletedClusterWhereNothingIsToBeRetained() {
        ManagedCluster cluster = scenario.get();
        cluster.apply("{storage: {size: 1Gi, retention: Delete}, " + LIMITS + "}");
        cluster.awaitReady();

        cluster.delete();

        cluster.await(
                "nothing is left",
                () -> cluster.document().isEmpty()
                        && cluster.pods().isEmpty()
                        && cluster.claims().isEmpty());
    }
}
