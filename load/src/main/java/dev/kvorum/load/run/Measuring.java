package dev.kvorum.load.run;

import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.generate.Generator;
import dev.kvorum.load.generate.Stretch;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.measure.LiveHeap;
import dev.kvorum.load.measure.MachineTime;
import dev.kvorum.load.measure.ProcessorSeries;
import dev.kvorum.load.measure.Sampler;
import dev.kvorum.load.profile.Profiler;
import dev.kvorum.load.run.Measurement.Alive;
import dev.kvorum.load.scenario.FaultPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs stretches of load and looks at the nodes meanwhile. */
final class Measuring {
    /** What a fault may cost before it counts: connections break, breakers open. */
    private static final Duration SETTLING = Duration.ofSeconds(1);

    /** From when on it is asked what is alive on the heaps. */
    private static final Duration SOAK_MIN = Duration.ofMinutes(5);

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

    /**
     * Measures stretches one after the other over the same connections.
     *
     * @param run names what the profiler records
     * @return a measurement of each; what the nodes held, and connections that they opened, are those of all
     */
    List<Measurement> measure(String run, List<Stretch> inTurn, Optional<FaultPlan> fault) throws InterruptedException {
        if (profiler.isEmpty()) {
            return measure(inTurn, fault);
        }
        try {
            Profiler.Recording recording = profiler.get().start(run, cluster.nodes());
            List<Measurement> measured = measure(inTurn, fault);
            progress.phase("made " + recording.stop().size() + " flame graphs");
            return measured;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Measurement> measure(List<Stretch> inTurn, Optional<FaultPlan> fault) throws InterruptedException {
        Duration length = inTurn.stream().map(Stretch::length).reduce(Duration.ZERO, Duration::plus);
        boolean isSoak = fault.isEmpty() && length.compareTo(SOAK_MIN) >= 0;
        Map<String, Long> liveBefore = isSoak ? live("before") : Map.of();
        try (Sampler sampler = Sampler.start(cluster.nodes());
                FaultTimer timer = FaultTimer.start(fault, cluster)) {
            MachineTime before = MachineTime.now();
            List<StretchResult> results = generator.runInTurn(inTurn, progress::second);
            MachineTime machine = MachineTime.now().since(before);
            sampler.close();
            timer.failIfFailed();
            Optional<Befallen> befallen = timer.befallen();
            long ended =
                    results.stream().mapToLong(result -> result.total().ended()).sum();
            Alive alive = isSoak ? new Alive(liveBefore, live("after")) : Alive.UNKNOWN;
            ProcessorSeries processors = new ProcessorSeries(sampler.samples());
            List<Measurement> measured = new ArrayList<>();
            for (StretchResult result : results) {
                Part settled = settled(result, befallen);
                measured.add(new Measurement(
                        result,
                        settled,
                        processors.micros(settled.fromMillis(), settled.untilMillis()),
                        ended,
                        sampler.samples(),
                        machine,
                        alive,
                        befallen));
            }
            return measured;
        }
    }

    /** While there is no load: it stops the nodes. */
    private Map<String, Long> live(String when) throws InterruptedException {
        progress.phase("collects garbage " + when + " the soak");
        try {
            return LiveHeap.bytes(cluster.nodes(), cluster.logs(), when);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Part settled(StretchResult result, Optional<Befallen> befallen) {
        return befallen.map(begun -> result.part(settledFrom(begun), begun.endedMillis()))
                .orElseGet(result::settled);
    }

    private static long settledFrom(Befallen befallen) {
        return befallen.beganMillis() + SETTLING.toMillis();
    }

    LocalCluster cluster() {
        return cluster;
    }
}
