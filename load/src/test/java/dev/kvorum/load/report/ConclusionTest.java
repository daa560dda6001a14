package dev.kvorum.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.figure.Verdict;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.ScenarioFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ConclusionTest {
    private static final Scenario SCENARIO = ScenarioFile.parse("test", """
            title: Sizes
            why: Because
            load: {mix: {GET: 1}, rate: 1}
            variants:
              - {name: alone}
              - {name: both, load: {value-size: {100B: 9, 64KiB: 1}}}
            expect: [p99 of both/100B <= 1.5 x p99 of alone, errors of all <= 0]
            """);

    /** The large ones take a hundred times as long. */
    private static RoundResult both(int round, long smallMicros) {
        Slice counted = Slice.empty();
        counted.sizes().put(100, histogram(smallMicros));
        counted.sizes().put(65_536, histogram(100 * smallMicros));
        return round("both", round, counted, 100 * smallMicros / 1000.0);
    }

    private static Histogram histogram(long micros) {
        Histogram histogram = Slice.histogram();
        histogram.recordValue(micros);
        return histogram;
    }

    private static RoundResult round(String variant, int round, Slice counted, double p99) {
        Figures figures = new Figures(Map.of(Metric.P99, p99, Metric.ERRORS, 0.0));
        return new RoundResult(
                variant, round, 0, List.of(), counted, figures, List.of(), Optional.empty(), List.of(), List.of());
    }

    private static Conclusion conclusion(long... smallMicros) {
        return Conclusion.of(
                SCENARIO,
                List.of(
                        round("alone", 1, Slice.empty(), 1.0),
                        both(1, smallMicros[0]),
                        both(2, smallMicros[1]),
                        both(3, smallMicros[2])),
                List.of());
    }

    @Test
    void valuesOfOneSizeAreJudgedByTheMedianOfTheirOwnLatencies() {
        assertThat(conclusion(1400, 9000, 1300).verdicts().getFirst().passed()).isTrue();
        assertThat(conclusion(1600, 9000, 1300).verdicts().getFirst().passed()).isFalse();
    }

    @Test
    void whatIsExpectedOfAllIsExpectedOfVariantsAndNotOfTheirSizes() {
        assertThat(conclusion(1400, 9000, 1300).verdicts())
                .extracting(Verdict::text)
                .containsExactly(
                        "p99 of both/100B <= 1.5 x p99 of alone", "errors of alone <= 0", "errors of both <= 0");
    }

    @Test
    void refusalFailsTheRunUnlessTheScenarioAllowsErrors() {
        Figures figures = new Figures(Map.of(Metric.ERRORS, 0.0, Metric.REFUSED, 3.0));
        RoundResult refused = new RoundResult(
                "alone", 2, 0, List.of(), Slice.empty(), figures, List.of(), Optional.empty(), List.of(), List.of());
        Scenario tolerant = ScenarioFile.parse(
                "test", "allow-errors: true\n" + SCENARIO.about().yaml());
        assertThat(Conclusion.of(SCENARIO, List.of(refused), List.of()).failures())
                .containsExactly("alone, round 2: 3 requests were refused, with 503");
        assertThat(Conclusion.of(tolerant, List.of(refused), List.of()).failures())
                .isEmpty();
    }

    @Test
    void tableShowsTheSizesAfterTheirVariant() {
        assertThat(ResultTable.of(conclusion(1400, 9000, 1300)).lines().map(line -> line.split(" ", 2)[0]))
                .containsSubsequence("alone", "both", "both/100B", "both/64KiB");
    }
}
