package dev.kvorum.load.chaos;

import dev.kvorum.load.chaos.fault.FileSizeLimit;
import dev.kvorum.load.chaos.fault.NodeDisk;
import dev.kvorum.load.chaos.fault.SmallFileSystem;
import dev.kvorum.load.cluster.ClusterLaunch;
import dev.kvorum.load.cluster.JvmOptions;
import dev.kvorum.load.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The nodes of a run, some of them with a disk that can be full. Closing it ends them. */
final class ChaosCluster implements AutoCloseable {
    private static final int REPLICATION_FACTOR = 3;
    private static final int PARTITIONS = 256;

    /** As many nodes as a small machine can carry. */
    private static final List<String> JVM = JvmOptions.with(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));

    /** Little time between a fault and what mends it, so that a short run sees all of it. */
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("kvorum.storage.memory", "48MB"),
            Map.entry("kvorum.storage.memtable", "1MB"),
            Map.entry("kvorum.http.event-loops", "1"),
            Map.entry("kvorum.peer.timeout", "1s"),
            Map.entry("kvorum.quorum.deadline", "2s"),
            Map.entry("kvorum.clock.ahead-max", "2s"),
            Map.entry("kvorum.hints.age-max", "40s"),
            Map.entry("kvorum.repair.interval", "15s"),
            Map.entry("kvorum.repair.settling", "2s"),
            Map.entry("kvorum.repair.scan-rate", "256MB"),
            Map.entry("kvorum.repair.tombstone-grace", "45s"));

    private final LocalCluster processes;
    private final Map<String, NodeDisk> disks;
    private final Path data;
    private boolean dataIsKept = true;

    private ChaosCluster(LocalCluster processes, Map<String, NodeDisk> disks, Path data) {
        this.processes = processes;
        this.disks = disks;
        this.data = data;
    }

    /** Starts the nodes, and returns when all are ready. */
    static ChaosCluster start(ChaosOptions options, Consumer<String> say) throws IOException, InterruptedException {
        Path data = Files.createDirectories(options.folder().resolve("data")).toAbsolutePath();
        Map<String, NodeDisk> disks = disks(options.nodes(), data, say);
        ClusterLaunch launch = new ClusterLaunch(
                new ClusterLaunch.Program(options.nodeJar(), JVM, SETTINGS),
                ClusterLaunch.Shape.of(options.nodes(), REPLICATION_FACTOR, PARTITIONS),
                new ClusterLaunch.Folders(options.folder().resolve("nodes"), data, true));
        return new ChaosCluster(LocalCluster.start(launch), disks, data);
    }

    /** Every second node has a small disk, the others that of the machine. */
    private static Map<String, NodeDisk> disks(int nodes, Path data, Consumer<String> say) throws InterruptedException {
        Map<String, NodeDisk> disks = new TreeMap<>();
        try {
            for (int number = 2; number <= nodes; number += 2) {
                String id = "n" + number;
                disks.put(id, SmallFileSystem.mount(data.resolve(id)));
            }
        } catch (IOException e) {
            say.accept("No disk can be made full here, as nobody may mount one (" + e.getMessage()
                    + "): instead no file of the node may grow (RLIMIT_FSIZE), which the store sees as another error.");
            disks.put("n2", new FileSizeLimit());
        }
        return disks;
    }

    LocalCluster processes() {
        return processes;
    }

    Map<String, NodeDisk> disks() {
        return disks;
    }

    /** What the nodes hold goes with them: nobody needs it. */
    void forgetData() {
        dataIsKept = false;
    }

    @Override
    public void close() throws IOException {
        processes.close();
        try {
            for (NodeDisk disk : disks.values()) {
                if (disk instanceof SmallFileSystem small) {
                    small.unmount(dataIsKept);
                }
            }
            if (!dataIsKept) {
                NodeDisk.run(List.of("rm", "-rf", data.toString()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
