package dev.kvorum.load.measure;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks at each node once a second while load runs; asks it for its metrics every five, because that costs it something. */
public final class Sampler implements AutoCloseable {
    private static final long PERIOD_MILLIS = 1000;
    private static final int METRICS_EVERY = 5;
    private static final double MIB = 1024 * 1024;

    private final List<NodeProcess> nodes;
    private final PeerConnections connections;
    private final List<NodeSample> samples = new ArrayList<>();
    private final Thread thread;

    private Sampler(List<NodeProcess> nodes) {
        this.nodes = nodes;
        this.connections =
                new PeerConnections(nodes.stream().map(NodeProcess::peerPort).toList());
        this.thread = Thread.ofPlatform().daemon().name("sampler").unstarted(this::run);
    }

    public static Sampler start(List<NodeProcess> nodes) {
        Sampler sampler = new Sampler(nodes);
        sampler.thread.start();
        return sampler;
    }

    private void run() {
        try {
            for (int round = 0; ; round++) {
                long next = System.currentTimeMillis() + PERIOD_MILLIS;
                for (NodeProcess node : nodes) {
                    sample(node, round % METRICS_EVERY == 0).ifPresent(this::add);
                }
                connections.look();
                Thread.sleep(Math.max(1, next - System.currentTimeMillis()));
            }
        } catch (InterruptedException _) {
            // Closed: enough was seen.
        }
    }

    private synchronized void add(NodeSample sample) {
        samples.add(sample);
    }

    /** Empty if the node is gone, as it is in experiments that kill it. */
    static Optional<NodeSample> sample(NodeProcess node, boolean metrics) throws InterruptedException {
        Path process = Path.of("/proc", Long.toString(node.pid()));
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            double rss = 0;
            int threads = 0;
            for (String line : Files.readAllLines(process.resolve("status"))) {
                if (line.startsWith("VmRSS:")) {
                    rss = number(line) / 1024.0;
                } else if (line.startsWith("Threads:")) {
                    threads = (int) number(line);
                }
            }
            Map<String, Double> told = metrics ? node.management().metrics().orElse(Map.of()) : Map.of();
            Double heap = told.get("jvm_memory_used_bytes.heap");
            Double gc = told.get("jvm_gc_pause_seconds_sum");
            return Optional.of(new NodeSample(
                    node.id(),
                    System.currentTimeMillis(),
                    ProcessorTime.micros(node.pid()),
                    rss,
                    threads,
                    (int) descriptors.count(),
                    heap == null ? null : heap / MIB,
                    told.isEmpty() ? null : Double.valueOf(gc == null ? 0 : gc * 1000)));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    public synchronized List<NodeSample> samples() {
        return List.copyOf(samples);
    }

    /** Connections between nodes that were opened since the sampler was started. */
    public long peerConnectionsOpened() {
        return connections.opened();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
            connections.look();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
