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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** The command line of the bench, a method for each command. Each returns its exit code. */
@Command(
        name = "kvorum-load",
        scope = ScopeType.INHERIT,
        usageHelpWidth = 110,
        sortOptions = false,
        description = "Puts load and faults on clusters of Kvorum's processes, and reports what came of it.",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Done; every expectation held and nothing failed.",
            "1:An expectation was missed, or something failed.",
            "2:Wrong usage, or a wrong scenario: nothing was started."
        },
        footerHeading = "%nExamples:%n",
        footer = "  java -jar load/target/kvorum-load.jar run load/scenarios/smoke.yaml")
public final class Bench {
    private static final int PASSED = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final long SEED_MAX = 1_000_000;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this help.")
    @SuppressWarnings("UnusedVariable") // Picocli asks whether it was typed.
    private boolean helps;

    private final List<String> typed;

    private Bench(List<String> typed) {
        this.typed = typed;
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Bench(List.of(arguments)))
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler(Bench::failed)
                .execute(arguments));
    }

    /** Expected failures say why in a sentence; anything else is a bug and shows where. */
    private static int failed(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (failure instanceof InvalidScenario) {
            command.getErr().println(failure.getMessage());
            return MISUSED;
        }
        if (failure instanceof IOException
                || failure instanceof UncheckedIOException
                || failure instanceof GeneratorFailed) {
            command.getErr().println(failure.getMessage());
            return FAILED;
        }
        throw failure;
    }

    @Command(
            name = "run",
            description = "Runs a scenario and writes its report.",
            footer = "  java -jar load/target/kvorum-load.jar run load/scenarios/r1.yaml --runs=1 --duration=5s")
    int run(@Mixin ScenarioOptions asked, @Mixin RunOptions how) throws IOException, InterruptedException {
        Scenario scenario = asked.scenario();
        NodeBuilds builds = how.builds(scenario);
        Instant start = Instant.now();
        Path folder = ResultFolder.create(how.results(), scenario.about().name(), start);
        // Before the first class of Hyperfoil is loaded: its log is a file among the results.
        System.setProperty("kvorum.load.log", folder.resolve("generator.log").toString());
        BenchOptions options = how.in(folder, builds);
        Terminal terminal = Terminal.ofProcess();
        terminal.say(scenario.about().title() + "\n" + scenario.about().why() + "\n");
        Machine machine = Machine.here();
        ScenarioRun run = new ScenarioRun(scenario, options, terminal);
        List<RoundResult> rounds = run.run();
        Conclusion conclusion = Conclusion.of(scenario, rounds, run.failures());
        RunNote note = new RunNote(
                start.truncatedTo(ChronoUnit.SECONDS).toString(),
                String.join(" ", typed),
                Duration.between(start, Instant.now()).toSeconds(),
                machine);
        ObjectNode summary = SummaryJson.of(scenario, rounds, conclusion, note);
        ResultFolder.write(folder, scenario, rounds, summary);
        terminal.say(ResultTable.of(conclusion) + "\nReport: " + folder.resolve("report.html"));
        return conclusion.passed() ? PASSED : FAILED;
    }

    @Command(
            name = "chaos",
            description = "Breaks a cluster under load on purpose, and judges what its clients saw.",
            footer = "  java -jar load/target/kvorum-load.jar chaos --seed=17 --duration=60s")
    int chaos(@Mixin ChaosCommandOptions typed) throws IOException, InterruptedException {
        ChaosOptions asked = typed.options(new SplittableRandom().nextLong(SEED_MAX));
        ChaosOptions options = asked.in(ResultFolder.create(asked.folder(), "chaos-" + asked.seed(), Instant.now()));
        return new ChaosRun(options, System.out::println).run().isGood() ? PASSED : FAILED;
    }

    @Command(
            name = "compare",
            description = "Sets two results side by side, in a page that goes into the second folder.",
            footer = "  java -jar load/target/kvorum-load.jar compare load/results/A load/results/B")
    int compare(
            @Parameters(paramLabel = "A", description = "A folder of results.") Path former,
            @Parameters(paramLabel = "B", description = "Another folder of results.") Path latter)
            throws IOException {
        System.out.println("Comparison: " + Comparison.write(former, latter));
        return PASSED;
    }
}
