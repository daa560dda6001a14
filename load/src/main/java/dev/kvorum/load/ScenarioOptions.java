package dev.kvorum.load;

import dev.kvorum.load.scenario.InvalidScenario;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which scenario runs, and what this run has of its own. */
final class ScenarioOptions {
    @Parameters(paramLabel = "SCENARIO", description = "A file, as load/scenarios/smoke.yaml.")
    private Path file = Path.of("");

    @Option(
            names = "--duration",
            paramLabel = "LENGTH",
            converter = Length.class,
            description = "Length of each measured stretch, as 30s or 20m, instead of the scenario's.")
    private @Nullable Duration duration;

    @Option(
            names = "--runs",
            paramLabel = "N",
            converter = WholeNumber.Rounds.class,
            description = "Rounds, 1 to 100, instead of the scenario's.")
    private @Nullable Long runs;

    @Option(
            names = "--variants",
            paramLabel = "NAME",
            split = ",",
            description = "Only these; expectations that need others are left out.")
    private List<String> variants = List.of();

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = WholeNumber.Rate.class,
            description = "Requests a second, 1 to 1,000,000, instead of the scenario's where it has a rate.")
    private @Nullable Long rate;

    /** As the file has it, changed as the options say. */
    Scenario scenario() throws IOException {
        if (!Files.isReadable(file)) {
            throw new InvalidScenario("There is no scenario " + file + ".");
        }
        Scenario scenario = ScenarioFile.read(file);
        if (duration != null) {
            scenario = scenario.lasting(duration);
        }
        if (runs != null) {
            scenario = scenario.inRounds(Math.toIntExact(runs));
        }
        if (!variants.isEmpty()) {
            scenario = scenario.only(variants);
        }
        return rate == null ? scenario : scenario.atRate(rate);
    }
}
