package dev.kvorum.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.load.chaos.ChaosOptions;
import dev.kvorum.load.chaos.ChaosRun;
import dev.kvorum.load.generate.GeneratorFailed;
import dev.kvorum.load.measure.Machine;
import dev.kvorum.load.report.Comparison;
import dev.kvorum.load.report.Conclusion;
import dev.kvorum.load.report.ResultFolder;
import dev.kvorum.load.report.ResultTable;
import dev.kvorum.load.report.RunNote;
import dev.kvorum.load.report.SummaryJson;
import dev.kvorum.load.report.Terminal;
import dev.kvorum.load.run.BenchOptions;
import dev.kvorum.load.run.NodeBuilds;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.run.ScenarioRun;
import dev.kvorum.load.scenario.InvalidScenario;
import dev.kvorum.load.scenario.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SplittableRandom;

/** The command line: {@code run SCENARIO.yaml}, {@code compare A B}, {@code chaos}; {@link Arguments} says with which options. */
public final class Bench {
    private static final int PASSED = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final long SEED_MAX = 1_000_000;

    private Bench() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.exit(execute(List.of(arguments)));
    }

    private static int execute(List<String> arguments) throws InterruptedException {
        try {
            Arguments parsed = Arguments.parse(arguments);
            return switch (parsed.command()) {
                case "run" -> run(parsed);
                case "compare" -> compare(parsed);
                case "chaos" -> chaos(parsed);
                default ->
                    throw new InvalidScenario(
                            "Unknown command " + parsed.command() + "; there are run, compare and chaos.");
            };
        } catch (InvalidScenario e) {
            System.err.println(e.getMessage());
            return MISUSED;
        } catch (IOException | UncheckedIOException | GeneratorFailed e) {
            System.err.println(e.getMessage());
            return FAILED;
        }
    }

    private static int run(Arguments arguments) throws IOException, InterruptedException {
        Scenario scenario = arguments.scenario();
        NodeBuilds builds = arguments.builds(scenario);
        Instant start = Instant.now();
        Path folder = ResultFolder.create(arguments.results(), scenario.name(), start);
        // Before the first class of Hyperfoil is loaded: its log is a file among the results.
        System.setProperty("kvorum.load.log", folder.resolve("generator.log").toString());
        BenchOptions options = new BenchOptions(builds, folder, arguments.keepData(), arguments.flames());
        Terminal terminal = Terminal.ofProcess();
        terminal.say(scenario.title() + "\n" + scenario.why() + "\n");
        Machine machine = Machine.here();
        ScenarioRun run = new ScenarioRun(scenario, options, terminal);
        List<RoundResult> rounds = run.run();
        Conclusion conclusion = Conclusion.of(scenario, rounds, run.failures());
        RunNote note = new RunNote(
                start.truncatedTo(ChronoUnit.SECONDS).toString(),
                arguments.typed(),
                Duration.between(start, Instant.now()).toSeconds(),
                machine);
        ObjectNode summary = SummaryJson.of(scenario, rounds, conclusion, note);
        ResultFolder.write(folder, scenario, rounds, summary);
        terminal.say(ResultTable.of(conclusion) + "\nReport: " + folder.resolve("report.html"));
        return conclusion.passed() ? PASSED : FAILED;
    }

    private static int chaos(Arguments arguments) throws IOException, InterruptedException {
        long anySeed = new SplittableRandom().nextLong(SEED_MAX);
        ChaosOptions asked = arguments.chaos(anySeed, arguments.results());
        ChaosOptions options = asked.in(ResultFolder.create(asked.folder(), "chaos-" + asked.seed(), Instant.now()));
        return new ChaosRun(options, System.out::println).run().isGood() ? PASSED : FAILED;
    }

    private static int compare(Arguments arguments) throws IOException {
        System.out.println("Comparison: " + Comparison.write(arguments.folder(0), arguments.folder(1)));
        return PASSED;
    }
}
