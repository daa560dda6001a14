package dev.kvorum.load.report;

import dev.kvorum.load.figure.Expectation;
import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.figure.Verdict;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.Variant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a scenario's rounds say together.
 *
 * @param medians  by variant, in the scenario's order; after one whose values differ in length, those latencies by the names of its parts
 * @param verdicts on the scenario's expectations
 * @param failures why the run failed apart from expectations; empty if it did not
 */
public record Conclusion(Map<String, Figures> medians, List<Verdict> verdicts, List<String> failures) {

    /** @param notRun rounds that could not be run, and why */
    public static Conclusion of(Scenario scenario, List<RoundResult> rounds, List<String> notRun) {
        Map<String, Figures> medians = new LinkedHashMap<>();
        for (Variant variant : scenario.variants()) {
            List<RoundResult> own = rounds.stream()
                    .filter(round -> round.variant().equals(variant.name()))
                    .toList();
            medians.put(
                    variant.name(),
                    Figures.medians(own.stream().map(RoundResult::figures).toList()));
            medians.putAll(parts(variant, own));
        }
        List<String> names = scenario.variants().stream().map(Variant::name).toList();
        List<Verdict> verdicts = new ArrayList<>();
        for (Expectation expectation : scenario.expectations()) {
            List<String> of = expectation.isOfAll() ? names : List.of("");
            of.forEach(name -> verdicts.add(expectation.judge(medians, name)));
        }
        List<String> failures = new ArrayList<>(notRun);
        failures.addAll(failures(scenario, rounds));
        return new Conclusion(medians, verdicts, failures);
    }

    private static Map<String, Figures> parts(Variant variant, List<RoundResult> rounds) {
        Map<String, List<Figures>> parts = new LinkedHashMap<>();
        for (RoundResult round : rounds) {
            round.counted()
                    .sizes()
                    .forEach((bytes, histogram) -> parts.computeIfAbsent(variant.part(bytes), _ -> new ArrayList<>())
                            .add(new Figures(Percentiles.figures(histogram))));
        }
        Map<String, Figures> medians = new LinkedHashMap<>();
        parts.forEach((name, figures) -> medians.put(name, Figures.medians(figures)));
        return medians;
    }

    private static List<String> failures(Scenario scenario, List<RoundResult> rounds) {
        List<String> failures = new ArrayList<>();
        if (!scenario.rules().errorsAllowed()) {
            for (RoundResult round : rounds) {
                String where = round.variant() + ", round " + round.round() + ": ";
                long errors = count(round, Metric.ERRORS);
                if (errors > 0) {
                    failures.add(where + errors + " errors (by status, 0 is none: "
                            + round.counted().statuses() + ")");
                }
                long refused = count(round, Metric.REFUSED);
                if (refused > 0) {
                    failures.add(where + refused + " requests were refused, with 503");
                }
                round.problems().forEach(problem -> failures.add(where + problem));
            }
        }
        return failures;
    }

    private static long count(RoundResult round, Metric metric) {
        return round.figures().get(metric).orElse(0.0).longValue();
    }

    Figures mediansOf(Variant variant) {
        return medians.getOrDefault(variant.name(), new Figures(Map.of()));
    }

    public boolean passed() {
        return failures.isEmpty() && verdicts.stream().allMatch(Verdict::passed);
    }
}
