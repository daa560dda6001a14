package dev.kvorum.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.measure.Machine;
import dev.kvorum.load.report.Conclusion;
import dev.kvorum.load.report.ResultFolder;
import dev.kvorum.load.report.RunNote;
import dev.kvorum.load.report.SummaryJson;
import dev.kvorum.load.run.BenchOptions;
import dev.kvorum.load.run.NodeBuilds;
import dev.kvorum.load.run.Progress;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.run.ScenarioRun;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.ScenarioFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smoke scenario on three real node processes, and all the files that remain of it. */
@Tag("check")
class SmokeIT {
    private static final Path NODE_JAR =
            Path.of("..", "node", "target", "kvorum-node.jar").toAbsolutePath().normalize();
    private static final int RATE = 200;
    private static final int SECONDS = 10; // A pause of half a second leaves the throughput that is expected.

    @TempDir
    Path folder;

    private final List<String> phases = new CopyOnWriteArrayList<>();

    @Test
    void everyRequestOfTheSmokeScenarioIsAnsweredAndAccountedFor() throws Exception {
        assertThat(NODE_JAR).as("the node's jar, which make build makes").isReadable();
        Scenario scenario =
                ScenarioFile.read(Path.of("scenarios", "smoke.yaml")).lasting(Duration.ofSeconds(SECONDS));

        NodeBuilds builds = new NodeBuilds(NODE_JAR, Path.of("experiments"), NODE_JAR.resolveSibling("experiments"));
        ScenarioRun run = new ScenarioRun(scenario, new BenchOptions(builds, folder, false, true), watched());
        List<RoundResult> rounds = run.run();
        Conclusion conclusion = Conclusion.of(scenario, rounds, run.failures());
        assertThat(conclusion.failures()).isEmpty();
        RunNote note = new RunNote("2026-01-01T00:00:00Z", "test", 0, Machine.here());
        ResultFolder.write(folder, scenario, rounds, SummaryJson.of(scenario, rounds, conclusion, note));

        JsonNode variant = new ObjectMapper()
                .readTree(folder.resolve("summary.json").toFile())
                .path("variants")
                .get(0);
        JsonNode leg = variant.path("rounds").get(0).path("legs").get(0);
        assertThat(phases).containsSubsequence("mixed warms up", "mixed settles", "mixed measures");
        assertThat(leg.path("begun").asInt()).isBetween(RATE * SECONDS, RATE * (SECONDS + 1));
        assertThat(leg.path("outcomes").path("done").asLong())
                .as("%s", leg.path("outcomes"))
                .isEqualTo(leg.path("begun").asLong());
        assertThat(leg.path("histogramCount").asLong())
                .isEqualTo(leg.path("begun").asLong());
        assertThat(leg.path("unaccounted").asLong()).isZero();
        assertThat(variant.path("medians").path("errors").asDouble()).isZero();
        assertThat(variant.path("medians").path("cpu").asDouble()).isPositive();
        assertThat(loggedRequests()).isEqualTo(leg.path("begun").asLong());
        assertThat(folder.resolve("report.html"))
                .content()
                .contains(scenario.about().title())
                .doesNotContain("${title}", "${style}", "${script}", "${data}");
        assertThat(folder.resolve("latency.svg")).content().startsWith("<svg").contains("mixed");
        assertThat(folder.resolve("nodes").resolve("mixed-1").resolve("n3.log")).isNotEmptyFile();
        for (String kind : List.of("cpu", "alloc", "lock")) {
            assertThat(folder.resolve("flames").resolve("mixed-1-n1-" + kind + ".html"))
                    .content()
                    .contains("mixed-1, n1, " + kind);
        }
        // Parts of names: the page leaves out what a name has in common with the one before it, as "org/r".
        assertThat(folder.resolve("flames").resolve("mixed-1-n1-cpu.html"))
                .content()
                .contains("netty", "ocksdb");
    }

    private long loggedRequests() throws Exception {
        long count = 0;
        try (var stream = Files.newInputStream(folder.resolve("histograms").resolve("mixed-1.hlog"));
                HistogramLogReader reader = new HistogramLogReader(stream)) {
            for (EncodableHistogram histogram = reader.nextIntervalHistogram();
                    histogram != null;
                    histogram = reader.nextIntervalHistogram()) {
                count += ((Histogram) histogram).getTotalCount();
            }
        }
        return count;
    }

    private Progress watched() {
        return new Progress() {
            @Override
            public void phase(String what) {
                phases.add(what);
            }

            @Override
            public void second(TimedSlice slice) {
                // Nobody watches a test.
            }
        };
    }
}
