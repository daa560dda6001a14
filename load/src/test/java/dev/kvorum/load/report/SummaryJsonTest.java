package dev.kvorum.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.ScenarioFile;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryJsonTest {
    private static final Scenario SCENARIO = ScenarioFile.parse("test", """
            title: One variant
            why: Because
            load: {mix: {GET: 1}, rate: 1}
            variants: [{name: one}]
            expect: [errors of all <= 0, p99 of one < 1]
            """);

    private static ObjectNode summary(RoundResult round) {
        Conclusion conclusion = Conclusion.of(SCENARIO, List.of(round), List.of());
        return SummaryJson.of(SCENARIO, List.of(round), conclusion, TwoMinutes.note("run"));
    }

    @Test
    void longRunIsToldMinuteByMinute() {
        JsonNode minutes = summary(TwoMinutes.of("one", 1, 0)).at("/variants/0/rounds/0/minutes");

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
        JsonNode clean = summary(TwoMinutes.of("one", 1, 0));
        JsonNode failed = summary(TwoMinutes.of("one", 1, 3));

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
        assertThat(SummaryJson.of(SCENARIO, List.of(), conclusion, TwoMinutes.note("run"))
                        .path("failures"))
                .hasSize(1);
        assertThat(ResultTable.of(conclusion)).contains("FAIL  one, round 1, could not be run: no port");
    }
}
