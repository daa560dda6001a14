package dev.kvorum.load.run;

import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.measure.NodeSample;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one round of one variant came to.
 *
 * @param variant  its name
 * @param round    from 1
 * @param counted  the requests that the figures speak of
 * @param tries    of a search: rate and whether it was good, in order
 * @param problems why the figures should not be trusted or the run failed; empty for a clean one
 */
public record RoundResult(
        String variant,
        int round,
        long startMillis,
        List<Leg> legs,
        Slice counted,
        Figures figures,
        List<NodeSample> samples,
        Optional<Long> faultMillis,
        List<Try> tries,
        List<String> problems) {

    /** This with one more figure. */
    RoundResult with(Metric metric, double value) {
        Map<Metric, Double> values = new EnumMap<>(figures.values());
        values.put(metric, value);
        return new RoundResult(
                variant, round, startMillis, legs, counted, new Figures(values), samples, faultMillis, tries, problems);
    }

    /** This with one more figure, if it was measured. */
    RoundResult with(Metric metric, Optional<Double> value) {
        return value.map(known -> with(metric, (double) known)).orElse(this);
    }

    /** One step of a search. */
    public record Try(double rate, boolean good, double p99Millis, long errors) {}
}
