package dev.kvorum.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.model.ContainerConfig;
import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Engine;
import dev.kvorum.e2e.cluster.Execution;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.cluster.Sidecar;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The image, run as it should be: read-only, without capabilities, as a user without rights, with one volume. Every other scenario runs it so, too. */
@TestMethodOrder(OrderAnnotation.class)
class ImageE2E {
    private static final long SIZE_BYTES_MAX = 240_000_000;
    private static final int IDLE_MIB_MAX = 250;
    private static final Quorum ALONE = new Quorum(1, 1);

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(1));

    @Test
    void nodeIsProcessOneOfAUserWithoutRightsAndRunsFromItsCache() {
        Node node = cluster.node(1);

        assertThat(Sidecar.amongProcessesOf(node, "cat", "/proc/1/cmdline")).contains("kvorum-node.jar");
        assertThat(Sidecar.amongProcessesOf(node, "grep", "CapEff", "/proc/1/status"))
                .contains("0000000000000000");
        assertThat(Sidecar.amongProcessesOf(node, "grep", "Uid", "/proc/1/status"))
                .contains("10001");
        assertThat(Sidecar.amongProcessesOf(node, "cat", "/proc/1/maps"))
                .contains("/opt/kvorum/kvorum.aot", "/opt/kvorum/native/librocksdbjni.so");
    }

    /** The first, of a node that has just started. */
    @Test
    @Order(1)
    void nodeThatIdlesTakesLittleMemory() {
        assertThat(cluster.node(1).residentMib()).as("MiB when idle").isLessThan(IDLE_MIB_MAX);
    }

    @Test
    void healthCheckOfTheImageFindsTheNodeReady() {
        List<String> test = Objects.requireNonNull(Objects.requireNonNull(config().getHealthcheck(), "health check")
                .getTest());

        assertThat(test.getFirst()).isEqualTo("CMD");
        Execution execution = Execution.in(cluster.node(1), test.subList(1, test.size()));

        assertThat(execution.status()).as(execution.printed()).isZero();
        assertThat(execution.printed()).as("what the JVM complains about").isEmpty();
    }

    @Test
    void thereIsNoShell() {
        assertThat(Execution.in(cluster.node(1), List.of("sh", "-c", "true")).status())
                .isNotZero();
    }

    @Test
    void sigtermEndsItWithTheDataOnTheDisk() {
        Node node = cluster.node(1);
        EntityClient client = new EntityClient(cluster.get());
        client.put(node, "before", "the end", ALONE).expect(201);

        node.stop();
        assertThat(node.state().getExitCodeLong()).isEqualTo(Node.EXIT_BY_SIGTERM);
        node.start();
        node.awaitReady();

        assertThat(client.get(node, "before", ALONE).expect(200).body()).isEqualTo("the end");
    }

    /** A machine that Kubernetes takes for lost may still run the node when its successor starts. */
    @Test
    void secondContainerOnTheSameVolumeIsRefusedInOneLine() {
        Execution twin = cluster.node(1).runTwin();

        assertThat(twin.status()).isEqualTo(1);
        // Beside its log, and what the JVM says of a user without rights.
        assertThat(twin.printed().lines().filter(line -> !line.startsWith("{") && !line.startsWith("OpenJDK")))
                .singleElement()
                .asString()
                .contains("the data directory /var/lib/kvorum is in use by another process")
                .contains("Stop that process");
        assertThat(cluster.node(1).isReady()).isTrue();
    }

    @Test
    void imageIsSmallAndSaysWhatItIs() {
        assertThat(image().getSize()).isLessThan(SIZE_BYTES_MAX);
        Map<String, String> labels = Objects.requireNonNull(config().getLabels(), "labels");
        assertThat(labels)
                .containsKeys(
                        "org.opencontainers.image.title",
                        "org.opencontainers.image.description",
                        "org.opencontainers.image.version",
                        "org.opencontainers.image.revision",
                        "org.opencontainers.image.created");
        assertThat(config().getUser()).isEqualTo("10001:10001");
        assertThat(config().getVolumes()).containsOnlyKeys("/var/lib/kvorum");
    }

    private static InspectImageResponse image() {
        return Engine.docker().inspectImageCmd(Engine.nodeImage()).exec();
    }

    private static ContainerConfig config() {
        return Objects.requireNonNull(image().getConfig(), "config");
    }
}
