package dev.kvorum.load.chaos;

import dev.kvorum.load.chaos.fault.FileSizeLimit;
import dev.kvorum.load.chaos.fault.NodeClocks;
import dev.kvorum.load.chaos.fault.NodeDisk;
import dev.kvorum.load.chaos.fault.SmallFileSystem;
import dev.kvorum.load.cluster.ClusterLaunch;
import dev.kvorum.load.cluster.JvmOptions;
import dev.kvorum.load.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The nodes of a run: every second with a disk that can be full, the others with an address that can be wrong, all with a clock that can be. Closing it ends them. */
final class ChaosCluster implements AutoCloseable {
    private static final int REPLICATION_FACTOR = 3;
    private static final int PARTITIONS = 256;

    /** How far clocks may be from each other. */
    static final Duration AHEAD_MAX = Duration.ofSeconds(2);

    /** For how long deletions are kept, and nodes may be away. */
    static final Duration TOMBSTONE_GRACE = Duration.ofSeconds(45);

    /** As many nodes as a small machine can carry. */
    private static final List<String> JVM = JvmOptions.with(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));

    /** Little time between a fault and what mends it, so that a short run sees all of it. */
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("kvorum.storage.memory", "48MB"),
            Map.entry("kvorum.storage.memtable", "1MB"),
            Map.entry("kvorum.http.event-loops", "1"),
            Map.entry("kvorum.peer.timeout", "1s"),
            Map.entry("kvorum.quorum.deadline", "2s"),
            Map.entry("kvorum.clock.ahead-max", AHEAD_MAX.toSeconds() + "s"),
            Map.entry("kvorum.hints.age-max", "40s"),
            Map.entry("kvorum.repair.interval", "15s"),
            Map.entry("kvorum.repair.settling", "2s"),
            Map.entry("kvorum.repair.scan-rate", "256MB"),
            Map.entry("kvorum.repair.tombstone-grace", TOMBSTONE_GRACE.toSeconds() + "s"));

    private final LocalCluster processes;
    private final Map<String, NodeDisk> disks;
    private final Optional<NodeClocks> clocks;
    private final Path data;
    private boolean dataIsKept = true;

    private ChaosCluster(LocalCluster processes, Map<String, NodeDisk> disks, Optional<NodeClocks> clocks, Path data) {
        this.processes = processes;
        this.disks = disks;
        this.clocks = clocks;
        this.data = data;
    }

    /** Starts the nodes, and returns when all are ready. */
    static ChaosCluster start(ChaosOptions options, Consumer<String> say) throws IOException, InterruptedException {
        Path data = Files.createDirectories(options.folder().resolve("data")).toAbsolutePath();
        Map<String, NodeDisk> disks = disks(options.size().nodes(), data, say);
        Optional<NodeClocks> clocks = clocks(data.resolve("clocks"), say);
        ClusterLaunch launch = new ClusterLaunch(
                new ClusterLaunch.Program(options.nodeJar(), JVM, SETTINGS, id -> environment(clocks, id)),
                new ClusterLaunch.Shape(
                        options.size().nodes(),
                        0,
                        REPLICATION_FACTOR,
                        PARTITIONS,
                        ofEverySecond(1, options.size().nodes())),
                new ClusterLaunch.Folders(options.folder().resolve("nodes"), data, true));
        return new ChaosCluster(LocalCluster.start(launch), disks, clocks, data);
    }

    private static Set<Integer> ofEverySecond(int first, int nodes) {
        return IntStream.iterate(first, number -> number <= nodes, number -> number + 2)
                .boxed()
                .collect(Collectors.toSet());
    }

    private static Optional<NodeClocks> clocks(Path directory, Consumer<String> say) throws InterruptedException {
        try {
            return Optional.of(NodeClocks.compile(directory));
        } catch (IOException e) {
            say.accept("No clock can be set here, as a C compiler is needed for that (" + e.getMessage()
                    + "): the run has no faults of clocks. Install one: apt-get install gcc");
            return Optional.empty();
        }
    }

    private static Map<String, String> environment(Optional<NodeClocks> clocks, String id) throws IOException {
        return clocks.isPresent() ? clocks.get().environmentOf(id) : Map.of();
    }

    /** Every second node has a small disk, the others that of the machine. */
    private static Map<String, NodeDisk> disks(int nodes, Path data, Consumer<String> say) throws InterruptedException {
        Map<String, NodeDisk> disks = new TreeMap<>();
        try {
            for (int number : ofEverySecond(2, nodes)) {
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

    /** Of the nodes; empty if nobody can set them here. */
    Optional<NodeClocks> clocks() {
        return clocks;
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
