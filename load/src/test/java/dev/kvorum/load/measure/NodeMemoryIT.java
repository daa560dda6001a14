package dev.kvorum.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.cluster.ClusterLaunch;
import dev.kvorum.load.cluster.LocalCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a real node tells of its memory what the bench asks it. */
@Tag("check")
class NodeMemoryIT {
    private static final Path NODE_JAR =
            Path.of("..", "node", "target", "kvorum-node.jar").toAbsolutePath().normalize();
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xmx128m", "-XX:TieredStopAtLevel=1");
    private static final double MIB = 1024 * 1024;

    @TempDir
    Path folder;

    @Test
    void nodeTellsOfItsHeapItsNativeMemoryAndThatOfRocksDb() throws Exception {
        assertThat(NODE_JAR).as("the node's jar, which make build makes").isReadable();
        ClusterLaunch launch = new ClusterLaunch(
                new ClusterLaunch.Program(NODE_JAR, JVM, Map.of("kvorum.storage.memory", "32MB")),
                ClusterLaunch.Shape.of(1, 1, ClusterLaunch.PARTITIONS),
                new ClusterLaunch.Folders(
                        folder.resolve("logs"), Files.createDirectory(folder.resolve("data")), false));

        try (LocalCluster cluster = LocalCluster.start(launch)) {
            NodeSample sample = Sampler.sample(cluster.node(1), true).orElseThrow();
            Map<String, Long> alive = LiveHeap.bytes(cluster.nodes(), cluster.logs(), "before");

            assertThat(sample.nativeMiB())
                    .hasValueSatisfying(nativeMiB -> assertThat(nativeMiB).isBetween(1.0, sample.rssMiB()));
            NodeSample.Told told = Objects.requireNonNull(sample.told());
            assertThat(told.rocksdbMiB()).isNotNull().isPositive();
            assertThat(told.connectionsOpened()).as("to no other node").isEqualTo(0.0);
            assertThat(told.heapMiB()).isBetween(1.0, told.committedMiB());
            assertThat(alive).containsOnlyKeys("n1");
            assertThat(alive.getOrDefault("n1", 0L) / MIB).isBetween(1.0, 128.0);
            assertThat(launch.folders().logs().resolve("n1-live-before.txt"))
                    .content()
                    .contains("java.lang.String");
        }
    }
}
