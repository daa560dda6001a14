package dev.kvorum.load.run;

import dev.kvorum.load.cluster.ClusterLaunch;
import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.generate.Generator;
import dev.kvorum.load.generate.GeneratorFailed;
import dev.kvorum.load.profile.Profiler;
import dev.kvorum.load.scenario.ClusterPlan;
import dev.kvorum.load.scenario.FaultPlan;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.Variant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** All rounds of a scenario: each variant in turn, then all again, each time on a new cluster. */
public final class ScenarioRun {
    private final Scenario scenario;
    private final BenchOptions options;
    private final Progress progress;
    private final Generator generator = new Generator();
    private final List<String> failures = new ArrayList<>();

    public ScenarioRun(Scenario scenario, BenchOptions options, Progress progress) {
        this.scenario = scenario;
        this.options = options;
        this.progress = progress;
    }

    public List<RoundResult> run() throws IOException, InterruptedException {
        List<RoundResult> results = new ArrayList<>();
        Optional<Profiler> profiler =
                options.flames() ? Optional.of(Profiler.in(options.folder().resolve("flames"))) : Optional.empty();
        for (int round = 1; round <= scenario.rounds(); round++) {
            for (Variant variant : scenario.variants()) {
                runOrNote(variant, round, profiler, results);
            }
        }
        return results;
    }

    /** A round that can't be run must not take with it what the others have measured. */
    private void runOrNote(Variant variant, int round, Optional<Profiler> profiler, List<RoundResult> results)
            throws InterruptedException {
        try {
            results.add(run(variant, round, profiler));
        } catch (IOException | UncheckedIOException | GeneratorFailed | IllegalStateException e) {
            failures.add(variant.name() + ", round " + round + ", could not be run: " + e.getMessage());
            progress.phase(failures.getLast());
        }
    }

    /** Rounds that could not be run, and why; empty if all were. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    private RoundResult run(Variant variant, int round, Optional<Profiler> profiler)
            throws IOException, InterruptedException {
        Progress named = new RoundProgress(progress, variant.name(), round, scenario.rounds());
        named.phase("starts " + variant.cluster().nodes() + " nodes");
        try (LocalCluster cluster = LocalCluster.start(launch(variant, round))) {
            VariantRun run = new VariantRun(variant, round, new Measuring(cluster, generator, named, profiler), named);
            run.fill();
            return run.measure();
        }
    }

    private ClusterLaunch launch(Variant variant, int round) throws IOException {
        ClusterPlan plan = variant.cluster();
        OptionalInt delayed = variant.fault().orElse(null) instanceof FaultPlan.Slow slow
                ? OptionalInt.of(slow.node())
                : OptionalInt.empty();
        int spares = variant.fault().orElse(null) instanceof FaultPlan.Scaled scaled ? scaled.more() : 0;
        return new ClusterLaunch(
                options.builds().jar(plan),
                plan.nodes(),
                plan.replicationFactor(),
                plan.jvm(),
                plan.settings(),
                options.logs().resolve(variant.name() + "-" + round),
                Files.createTempDirectory("kvorum-load-"),
                delayed,
                spares,
                options.keepData(),
                ClusterLaunch.PARTITIONS);
    }
}
