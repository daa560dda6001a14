package dev.kvorum.load.run;

import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.cluster.NodeProcess;
import dev.kvorum.load.generate.Generator;
import dev.kvorum.load.generate.Stretch;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.measure.ProcessorTime;
import dev.kvorum.load.measure.Sampler;
import dev.kvorum.load.profile.Profiler;
import dev.kvorum.load.scenario.FaultPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Runs one stretch of load and looks at the nodes meanwhile. */
final class Measuring {
    /** What a fault may cost before it counts: connections break, breakers open. */
    private static final Duration SETTLING = Duration.ofSeconds(1);

    private final LocalCluster cluster;
    private final Generator generator;
    private final Progress progress;
    private final Optional<Profiler> profiler;

    /** @param profiler records the nodes while they are measured, which costs them something; empty for none */
    Measuring(LocalCluster cluster, Generator generator, Progress progress, Optional<Profiler> profiler) {
        this.cluster = cluster;
        this.generator = generator;
        this.progress = progress;
        this.profiler = profiler;
    }

    /**
     * Looks at the nodes, and forgets what it has seen: the first look makes their JVMs compile anew what had been compiled without it, which
     * takes seconds.
     */
    void warmUp(Stretch stretch) throws InterruptedException {
        try (Sampler _ = Sampler.start(cluster.nodes())) {
            var _ = generator.run(stretch, progress::second);
        }
    }

    /** Without looking: to fill, to search. */
    StretchResult load(Stretch stretch) throws InterruptedException {
        return generator.run(stretch, progress::second);
    }

    /** @param run names what the profiler records */
    Measurement measure(String run, Stretch stretch, Optional<FaultPlan> fault) throws InterruptedException {
        if (profiler.isEmpty()) {
            return measure(stretch, fault);
        }
        try {
            Profiler.Recording recording = profiler.get().start(run, cluster.nodes());
            Measurement measured = measure(stretch, fault);
            progress.phase("made " + recording.stop().size() + " flame graphs");
            return measured;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Measurement measure(Stretch stretch, Optional<FaultPlan> fault) throws InterruptedException {
        try (Sampler sampler = Sampler.start(cluster.nodes());
                FaultTimer timer = FaultTimer.start(fault, cluster)) {
            Map<NodeProcess, Long> before = processorTimes();
            StretchResult result = generator.run(stretch, progress::second);
            long micros = spentSince(before, sampler);
            sampler.close();
            timer.failIfFailed();
            Optional<Befallen> befallen = timer.befallen();
            Part settled = befallen.map(begun -> result.part(settledFrom(begun), begun.endedMillis()))
                    .orElseGet(result::settled);
            return new Measurement(
                    result, settled, micros, sampler.peerConnectionsOpened(), sampler.samples(), befallen);
        }
    }

    private static long settledFrom(Befallen befallen) {
        return befallen.beganMillis() + SETTLING.toMillis();
    }

    private Map<NodeProcess, Long> processorTimes() {
        Map<NodeProcess, Long> times = new HashMap<>();
        for (NodeProcess node : cluster.nodes()) {
            try {
                times.put(node, ProcessorTime.micros(node.pid()));
            } catch (IOException e) {
                throw new IllegalStateException("Node " + node.id() + " has ended.", e);
            }
        }
        return times;
    }

    /** A node that was killed meanwhile counts with what was last seen of it. */
    private long spentSince(Map<NodeProcess, Long> before, Sampler sampler) {
        long spent = 0;
        for (NodeProcess node : cluster.nodes()) {
            long now;
            try {
                now = ProcessorTime.micros(node.pid());
            } catch (IOException _) {
                now = sampler.samples().stream()
                        .filter(sample -> sample.node().equals(node.id()))
                        .mapToLong(sample -> sample.cpuMicros())
                        .max()
                        .orElse(before.getOrDefault(node, 0L));
            }
            spent += now - before.getOrDefault(node, now);
        }
        return spent;
    }

    LocalCluster cluster() {
        return cluster;
    }
}
