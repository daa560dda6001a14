package dev.kvorum.load.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.scenario.InvalidScenario;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
    private static final Pattern DATA = Pattern.compile("(?s)<script[^>]*id=\"data\"[^>]*>(.*?)</script>");

    @TempDir
    Path results;

    private Path monday;
    private Path tuesday;

    @BeforeEach
    void runTwice() throws IOException {
        monday = run("monday", 40);
        tuesday = run("tuesday", 30);
    }

    private Path run(String name, double cpu) throws IOException {
        Scenario scenario = ScenarioFile.parse("test", """
                title: Which is cheaper?
                why: Because
                load: {mix: {GET: 1}, rate: 1}
                variants: [{name: one}]
                """);
        List<RoundResult> rounds = List.of(new RoundResult(
                "one",
                1,
                0,
                List.of(),
                Slice.empty(),
                new Figures(Map.of(Metric.CPU, cpu)),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of()));
        Path folder = Files.createDirectories(results.resolve(name));
        ResultFolder.write(
                folder,
                scenario,
                rounds,
                SummaryJson.of(scenario, rounds, Conclusion.of(scenario, rounds, List.of()), TwoMinutes.note(name)));
        return folder;
    }

    @Test
    void pageOfTheSecondRunHasBothInOrder() throws IOException {
        Path page = Comparison.write(monday, tuesday);

        assertThat(page).isEqualTo(tuesday.resolve("compared-with-monday.html"));
        assertThat(page).content().contains("<title>Which is cheaper?, compared</title>");
        Matcher data = DATA.matcher(Files.readString(page));
        assertThat(data.find()).isTrue();
        JsonNode runs = new ObjectMapper().readTree(data.group(1));
        assertThat(runs).hasSize(2);
        assertThat(runs.at("/0/run/command").asText()).isEqualTo("monday");
        assertThat(runs.at("/0/variants/0/medians/cpu").asDouble()).isEqualTo(40);
        assertThat(runs.at("/1/variants/0/medians/cpu").asDouble()).isEqualTo(30);
    }

    @Test
    void folderWithoutResultsIsRefused() {
        assertThatThrownBy(() -> Comparison.write(results, tuesday))
                .isInstanceOf(InvalidScenario.class)
                .hasMessageContaining("holds no summary.json");
    }

    @Test
    void runOfAnotherVersionOfTheBenchIsRefusedAndNothingWritten() throws IOException {
        Path summary = monday.resolve("summary.json");
        Files.writeString(summary, Files.readString(summary).replace("\"schema\" : 1", "\"schema\" : 99"));

        assertThatThrownBy(() -> Comparison.write(monday, tuesday))
                .isInstanceOf(InvalidScenario.class)
                .hasMessageContaining("another version");
        assertThat(tuesday.resolve("compared-with-monday.html")).doesNotExist();
    }
}
