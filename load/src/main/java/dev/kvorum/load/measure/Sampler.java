package dev.kvorum.load.measure;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks at each node once a second while load runs. Asks it for its metrics before, after, and every thirty seconds: its answer takes it some 10 ms of a
 * processor, for which requests wait.
 */
public final class Sampler implements AutoCloseable {
    private static final long PERIOD_MILLIS = 1000;
    private static final int METRICS_EVERY = 30;
    private static final Pattern NO_DIGITS = Pattern.compile("[^0-9]+");
    private static final List<String> TOLD = List.of(
            "jvm_memory_used_bytes",
            "jvm_memory_committed_bytes",
            "jvm_gc_pause_seconds",
            "kvorum_rocksdb_memtables_bytes",
            "kvorum_rocksdb_block_cache_bytes",
            "kvorum_peer_connections_opened",
            "kvorum_replica_cancelled",
            "kvorum_read_hedges_sent");

    private final List<NodeProcess> nodes;
    private final List<NodeSample> samples = new ArrayList<>();
    private final Thread thread;
    private boolean closed; // Of the thread that closes it.

    private Sampler(List<NodeProcess> nodes) {
        this.nodes = nodes;
        this.thread = Thread.ofPlatform().daemon().name("sampler").unstarted(this::run);
    }

    /** Returns when each node was looked at once. */
    public static Sampler start(List<NodeProcess> nodes) throws InterruptedException {
        Sampler sampler = new Sampler(nodes);
        sampler.look(true);
        sampler.thread.start();
        return sampler;
    }

    private void run() {
        try {
            for (int round = 1; ; round++) {
                Thread.sleep(PERIOD_MILLIS);
                look(round % METRICS_EVERY == 0);
            }
        } catch (InterruptedException _) {
            // Closed: enough was seen.
        }
    }

    private void look(boolean metrics) throws InterruptedException {
        for (NodeProcess node : nodes) {
            sample(node, metrics).ifPresent(this::add);
        }
    }

    private synchronized void add(NodeSample sample) {
        samples.add(sample);
    }

    /** Empty if the node is gone, as it is in experiments that kill it. */
    static Optional<NodeSample> sample(NodeProcess node, boolean metrics) throws InterruptedException {
        Path process = Path.of("/proc", Long.toString(node.pid()));
        try {
            double rss = 0;
            int threads = 0;
            for (String line : Files.readAllLines(process.resolve("status"))) {
                if (line.startsWith("VmRSS:")) {
                    rss = number(line) / 1024.0;
                } else if (line.startsWith("Threads:")) {
                    threads = (int) number(line);
                }
            }
            Map<String, Double> told = metrics ? node.management().metrics(TOLD).orElse(Map.of()) : Map.of();
            return Optional.of(new NodeSample(
                    node.id(),
                    System.currentTimeMillis(),
                    ProcessorTime.micros(node.pid()),
                    rss,
                    threads,
                    descriptors(process.resolve("fd")),
                    NodeSample.Told.of(told).orElse(null)));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static long number(String line) {
        return Long.parseLong(NO_DIGITS.matcher(line).replaceAll(""));
    }

    /** From Linux 6.2 on their number is the size of the directory, before that is 0; to list them makes the node wait. */
    private static int descriptors(Path directory) throws IOException {
        long size = Files.size(directory);
        if (size > 0) {
            return (int) size;
        }
        try (Stream<Path> all = Files.list(directory)) {
            return (int) all.count();
        }
    }

    public synchronized List<NodeSample> samples() {
        return List.copyOf(samples);
    }

    /** Looks once more. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
            if (!closed) {
                closed = true;
                look(true);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
