package dev.kvorum.load.run;

import dev.kvorum.load.cluster.ClusterLaunch;
import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.cluster.NodeProcess;
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
import java.util.Set;
import java.util.stream.Collectors;

/** All rounds of a scenario: each variant in turn, then all again, each time on a new cluster unless they are to have one. */
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
        if (scenario.rules().oneCluster()) {
            runOnOneCluster(profiler, results);
            return results;
        }
        for (int round = 1; round <= scenario.rules().rounds(); round++) {
            for (Variant variant : scenario.variants()) {
                runOrNote(variant, round, profiler, results);
            }
        }
        return results;
    }

    /** The cluster is as the last round left it: none follows one that failed. */
    private void runOnOneCluster(Optional<Profiler> profiler, List<RoundResult> results) throws InterruptedException {
        Variant first = scenario.variants().getFirst();
        QuietRound quiet = new QuietRound(scenario.rules().stolenMax());
        String what = "The cluster of all rounds";
        progress.phase("starts " + first.cluster().nodes() + " nodes for all rounds");
        try (LocalCluster cluster = LocalCluster.start(launch(first, "all"))) {
            on(cluster, first, 1, profiler).fill();
            for (Variant variant : scenario.variants()) {
                on(cluster, variant, 1, profiler).warmUp();
            }
            for (int round = 1; round <= scenario.rules().rounds(); round++) {
                for (Variant variant : scenario.variants()) {
                    what = named(variant, round);
                    VariantRun run = on(cluster, variant, round, profiler);
                    results.add(quiet.measure(() -> measured(cluster, run), run.progress()));
                }
            }
        } catch (IOException | UncheckedIOException | GeneratorFailed | IllegalStateException e) {
            int missing = scenario.rules().rounds() * scenario.variants().size() - results.size();
            note(what, e.getMessage() + " (with it " + missing + " rounds are missing, which share its cluster)");
        }
    }

    private static RoundResult measured(LocalCluster cluster, VariantRun run) throws InterruptedException {
        RoundResult result = run.measureWarm();
        requireAlive(cluster);
        return result;
    }

    /** Where a quorum does without a node, the requests of all rounds to come would not tell that it has ended. */
    private static void requireAlive(LocalCluster cluster) {
        for (NodeProcess node : cluster.nodes()) {
            if (!node.isAlive()) {
                throw new IllegalStateException(node.id() + " has ended, its log says why");
            }
        }
    }

    private VariantRun on(LocalCluster cluster, Variant variant, int round, Optional<Profiler> profiler) {
        Progress named = progressOf(variant, round);
        return new VariantRun(variant, round, new Measuring(cluster, generator, named, profiler), named);
    }

    private static String named(Variant variant, int round) {
        return variant.name() + ", round " + round + ",";
    }

    private Progress progressOf(Variant variant, int round) {
        return new RoundProgress(
                progress, variant.name(), round, scenario.rules().rounds());
    }

    private void note(String what, String why) {
        failures.add(what + " could not be run: " + why);
        progress.phase(failures.getLast());
    }

    /** A round that can't be run must not take with it what the others have measured. */
    private void runOrNote(Variant variant, int round, Optional<Profiler> profiler, List<RoundResult> results)
            throws InterruptedException {
        try {
            results.add(run(variant, round, profiler));
        } catch (IOException | UncheckedIOException | GeneratorFailed | IllegalStateException e) {
            note(named(variant, round), String.valueOf(e.getMessage()));
        }
    }

    /** Rounds that could not be run, and why; empty if all were. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    private RoundResult run(Variant variant, int round, Optional<Profiler> profiler)
            throws IOException, InterruptedException {
        progressOf(variant, round).phase("starts " + variant.cluster().nodes() + " nodes");
        String logs = variant.name() + "-" + round;
        try (LocalCluster cluster = LocalCluster.start(launch(variant, logs))) {
            VariantRun run = on(cluster, variant, round, profiler);
            run.fill();
            return run.measure();
        }
    }

    private static Set<Integer> proxied(Variant variant) {
        return variant.slowNode().stream().boxed().collect(Collectors.toSet());
    }

    /** @param logs of its nodes: the name of their folder */
    private ClusterLaunch launch(Variant variant, String logs) throws IOException {
        ClusterPlan plan = variant.cluster();
        int spares = variant.fault().orElse(null) instanceof FaultPlan.Scaled scaled ? scaled.more() : 0;
        return new ClusterLaunch(
                new ClusterLaunch.Program(options.builds().jar(plan), plan.jvm(), plan.settings()),
                new ClusterLaunch.Shape(
                        plan.nodes(), spares, plan.replicationFactor(), ClusterLaunch.PARTITIONS, proxied(variant)),
                new ClusterLaunch.Folders(
                        options.logs().resolve(logs), Files.createTempDirectory("kvorum-load-"), options.keepData()));
    }
}
