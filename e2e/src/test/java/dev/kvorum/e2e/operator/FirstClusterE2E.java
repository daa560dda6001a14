package dev.kvorum.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.kubernetes.Kubernetes;
import dev.kvorum.e2e.kubernetes.ManagedCluster;
import dev.kvorum.e2e.kubernetes.OperatorRelease;
import dev.kvorum.e2e.kubernetes.ScenarioCluster;
import dev.kvorum.e2e.record.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/** What a user meets first. */
@ResourceLock(value = Kubernetes.MACHINES, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class FirstClusterE2E {
    private static final Path SAMPLES = Path.of("..", "k8s", "samples");

    @RegisterExtension
    final ScenarioCluster scenario = ScenarioCluster.none();

    @Test
    // An operator that is killed may not have told of what it did.
    @ResourceLock(value = OperatorRelease.LOCK, mode = ResourceAccessMode.READ)
    void theMinimalSampleBecomesAClusterThatServesThroughEveryNode() throws IOException {
        ManagedCluster cluster = scenario.get();

        cluster.applyResource(Files.readString(SAMPLES.resolve("minimal.yaml")));
        cluster.awaitReady();

        EntityClient client = new EntityClient(cluster.recorder());
        cluster.await("three nodes are ready", () -> cluster.endpoints().size() == 3);
        for (Endpoint node : cluster.endpoints()) {
            client.put(node, "cart-7", client.fresh(node.id()), Quorum.MAJORITY_OF_3)
                    .expect(201);
            for (Endpoint other : cluster.endpoints()) {
                assertThat(client.get(other, "cart-7", Quorum.MAJORITY_OF_3)
                                .expect(200)
                                .body())
                        .isEqualTo(client.fresh(node.id()));
            }
        }
        assertThat(cluster.events()).contains("Created", "DisksRecorded");
    }

    /** Writes, reads and deletes as a pod of the cluster does, and ends a node's pod in between. */
    @Test
    void theTestOfTheChartPasses() {
        ManagedCluster cluster = scenario.get();
        cluster.installChart("test.killPod=true", "storage.size=1Gi");
        cluster.awaitReady();

        assertThat(cluster.testChart()).contains("Phase:          Succeeded");
    }

    @Test
    void aResourceThatCannotBeIsRefusedWithASentenceThatNamesTheField() {
        assertThatThrownBy(() -> scenario.get().apply("{replicas: 2, replicationFactor: 3}"))
                .hasMessageContaining("spec.replicas");
    }
}
