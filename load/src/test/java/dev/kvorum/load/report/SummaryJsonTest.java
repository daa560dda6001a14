package dev.kvorum.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.Operation;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.measure.Machine;
import dev.kvorum.load.measure.NodeSample;
import dev.kvorum.load.run.Leg;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.ScenarioFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SummaryJsonTest {
    private static final int SECONDS = 120;
    private static final Scenario SCENARIO = ScenarioFile.parse("test", """
            title: Is 1 </script> less than 2?
            why: Because
            load: {mix: {GET: 1}, rate: 1}
            variants: [{name: one}]
            expect: [errors of all <= 0, p99 of one < 1]
            """);
    private static final RunNote NOTE = new RunNote(
            "2026-01-01T00:00:00Z", "run", 1, new Machine("cpu", 2, 1024, "Linux", "Debian", "JVM", "0 0 0", "abc"));

    /** Two minutes of one request a second, which takes 10 ms in the first minute and 20 ms in the second. */
    private static RoundResult round(double errors) {
        List<TimedSlice> slices = new ArrayList<>();
        Slice total = Slice.empty();
        for (int second = 0; second < SECONDS; second++) {
            Slice slice = Slice.empty();
            Histogram latency = Slice.histogram();
            latency.recordValue(second < 60 ? 10_000 : 20_000);
            slice.done().put(Operation.GET, latency);
            slice.outcomes().put(Outcome.DONE, 1L);
            slices.add(new TimedSlice(second * 1000L, (second + 1) * 1000L, slice));
            total.add(slice);
        }
        StretchResult result = new StretchResult(total, slices, SECONDS, SECONDS, SECONDS, 0, 0, List.of());
        List<NodeSample> samples = List.of(
                new NodeSample("n1", 30_000, 0, 100, 20, 30, new NodeSample.Told(40, 60, 0, 5.0, 0.0, 0.0, 0.0)),
                new NodeSample("n1", 90_000, 0, 110, 20, 30, null));
        return new RoundResult(
                "one",
                1,
                0,
                List.of(new Leg("measured", result)),
                total,
                new Figures(Map.of(Metric.ERRORS, errors, Metric.P99, 20.0)),
                samples,
                Optional.empty(),
                List.of(),
                List.of());
    }

    private static ObjectNode summary(RoundResult round) {
        Conclusion conclusion = Conclusion.of(SCENARIO, List.of(round), List.of());
        return SummaryJson.of(SCENARIO, List.of(round), conclusion, NOTE);
    }

    @Test
    void longRunIsToldMinuteByMinute() {
        JsonNode minutes = summary(round(0)).at("/variants/0/rounds/0/minutes");

        assertThat(minutes).hasSize(2);
        assertThat(minutes.get(0).path("requests").asInt()).isEqualTo(60);
        assertThat(minutes.get(0).path("p99.9").asDouble()).isBetween(9.9, 10.1);
        assertThat(minutes.get(1).path("p99.9").asDouble()).isBetween(19.9, 20.1);
        assertThat(minutes.get(1).path("rss").asDouble()).isEqualTo(110);
        assertThat(minutes.get(0).path("native").asDouble()).isEqualTo(40);
        assertThat(minutes.get(0).path("rocksdb").asDouble()).isEqualTo(5);
        assertThat(minutes.get(1).has("native")).isFalse();
    }

    @Test
    void errorsAndMissedExpectationsFailTheRun() {
        JsonNode clean = summary(round(0));
        JsonNode failed = summary(round(3));

        assertThat(clean.path("failures")).isEmpty();
        assertThat(clean.at("/verdicts/0/passed").asBoolean()).isTrue();
        assertThat(clean.at("/verdicts/1/passed").asBoolean()).isFalse();
        assertThat(clean.path("passed").asBoolean()).isFalse();
        assertThat(failed.path("failures")).hasSize(1);
        assertThat(failed.at("/failures/0").asText()).startsWith("one, round 1: 3 errors");
    }

    @Test
    void roundThatCouldNotBeRunFailsTheRun() {
        Conclusion conclusion = Conclusion.of(SCENARIO, List.of(), List.of("one, round 1, could not be run: no port"));

        assertThat(conclusion.passed()).isFalse();
        assertThat(SummaryJson.of(SCENARIO, List.of(), conclusion, NOTE).path("failures"))
                .hasSize(1);
        assertThat(ResultTable.of(conclusion)).contains("FAIL  one, round 1, could not be run: no port");
    }

    @Test
    void pageHoldsItsDataStyleAndScriptAndNothingEndsThemEarly() throws IOException {
        String page = ReportPage.of(List.of(summary(round(0))));

        assertThat(page)
                .contains("<title>Is 1 &lt;/script> less than 2?</title>")
                .doesNotContain("${data}", "src=", "@import");
        assertThat(page.split("</script>", -1)).hasSize(3);
    }
}
