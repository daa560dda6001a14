package dev.kvorum.load;

import dev.kvorum.load.chaos.ChaosOptions;
import dev.kvorum.load.run.NodeBuilds;
import dev.kvorum.load.scenario.InvalidScenario;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.ScenarioFile;
import dev.kvorum.load.scenario.ScenarioLength;
import dev.kvorum.load.scenario.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What was typed: a command, files or folders, and options as {@code --name=value}. An empty value is an option left out. */
final class Arguments {
    private static final Set<String> OPTIONS = Set.of(
            "duration",
            "runs",
            "variants",
            "node-jar",
            "experiments",
            "results",
            "keep",
            "flames",
            "seed",
            "nodes",
            "rate");

    private static final String CHAOS_LENGTH = "3m";
    private static final int CHAOS_NODES_MAX = 9;
    private static final int RATE_MAX = 1_000_000;
    private static final int CHAOS_RATE_MAX = 5000;

    private final List<String> words;
    private final Map<String, String> options;
    private final String typed;

    private Arguments(List<String> words, Map<String, String> options, String typed) {
        this.words = words;
        this.options = options;
        this.typed = typed;
    }

    static Arguments parse(List<String> arguments) {
        List<String> words = new ArrayList<>();
        Map<String, String> options = new HashMap<>();
        for (String argument : arguments) {
            if (!argument.startsWith("--")) {
                words.add(argument);
                continue;
            }
            String[] parts = argument.substring(2).split("=", 2);
            if (!OPTIONS.contains(parts[0]) || parts.length != 2) {
                throw new InvalidScenario(
                        "Unknown option " + argument + "; there are " + OPTIONS + ", each as --name=value.");
            }
            if (!parts[1].isBlank()) {
                options.put(parts[0], parts[1]);
            }
        }
        return new Arguments(words, options, String.join(" ", arguments));
    }

    String command() {
        return word(0, "a command: run, compare or chaos");
    }

    String typed() {
        return typed;
    }

    private String word(int index, String what) {
        if (index >= words.size()) {
            throw new InvalidScenario("The command line lacks " + what + ".");
        }
        return words.get(index);
    }

    /** As the file has it, with DURATION, RUNS, VARIANTS and RATE applied. */
    Scenario scenario() throws IOException {
        Path file = Path.of(word(1, "a scenario"));
        if (!Files.isReadable(file)) {
            throw new InvalidScenario("There is no scenario " + file + ".");
        }
        Scenario scenario = ScenarioFile.read(file);
        if (options.containsKey("duration")) {
            scenario = scenario.lasting(ScenarioLength.parse("DURATION", options.get("duration")));
        }
        if (options.containsKey("runs")) {
            scenario = scenario.inRounds(ScenarioLength.rounds("RUNS", options.get("runs")));
        }
        if (options.containsKey("variants")) {
            scenario = scenario.only(List.of(options.get("variants").split(",", -1)));
        }
        if (options.containsKey("rate")) {
            scenario = scenario.atRate((double) whole("RATE", options.get("rate"), 1, RATE_MAX));
        }
        return scenario;
    }

    /** Of a run of chaos: a seed by chance, three minutes, five nodes and 300 requests per second, unless said. */
    ChaosOptions chaos(long anySeed, Path folder) {
        Duration length = ScenarioLength.parse("DURATION", options.getOrDefault("duration", CHAOS_LENGTH));
        long seed = whole("SEED", options.getOrDefault("seed", Long.toString(anySeed)), 0, Long.MAX_VALUE);
        int nodes = (int) whole("NODES", options.getOrDefault("nodes", "5"), 3, CHAOS_NODES_MAX);
        int rate = (int) whole("RATE", options.getOrDefault("rate", "300"), 1, CHAOS_RATE_MAX);
        return new ChaosOptions(seed, length, nodes, rate, nodeJar(), folder);
    }

    private static long whole(String name, String text, long min, long max) {
        if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) < min || Long.parseLong(text) > max) {
            throw new InvalidScenario(
                    name + " must be a whole number from " + min + " to " + max + ", but is \"" + text + "\"");
        }
        return Long.parseLong(text);
    }

    Path nodeJar() {
        Path jar = Path.of(options.getOrDefault("node-jar", "node/target/kvorum-node.jar"))
                .toAbsolutePath();
        if (!Files.isReadable(jar)) {
            throw new InvalidScenario("There is no node jar " + jar + ": make build makes it.");
        }
        return jar;
    }

    /** @throws InvalidScenario if one that the scenario needs is missing */
    NodeBuilds builds(Scenario scenario) throws IOException {
        NodeBuilds builds = new NodeBuilds(
                nodeJar(),
                Path.of("load", "experiments"),
                Path.of(options.getOrDefault("experiments", "node/target/experiments"))
                        .toAbsolutePath());
        for (Variant variant : scenario.variants()) {
            var _ = builds.jar(variant.cluster());
        }
        return builds;
    }

    Path results() {
        return Path.of(options.getOrDefault("results", "load/results"));
    }

    boolean keepData() {
        return Optional.ofNullable(options.get("keep")).filter("1"::equals).isPresent();
    }

    boolean flames() {
        return Optional.ofNullable(options.get("flames")).filter("1"::equals).isPresent();
    }

    Path folder(int index) {
        return Path.of(word(index + 1, "two folders of results, A and B"));
    }
}
