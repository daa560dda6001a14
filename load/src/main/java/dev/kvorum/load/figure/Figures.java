package dev.kvorum.load.figure;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The measured values of one run, or the medians of several. A metric that a run does not have is absent. */
public record Figures(Map<Metric, Double> values) {
    public Figures {
        Map<Metric, Double> copy = new EnumMap<>(Metric.class);
        copy.putAll(values);
        values = copy;
    }

    public Optional<Double> get(Metric metric) {
        return Optional.ofNullable(values.get(metric));
    }

    /** Of each metric the median over the runs that have it. */
    public static Figures medians(Collection<Figures> runs) {
        Map<Metric, Double> medians = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            List<Double> values =
                    runs.stream().flatMap(run -> run.get(metric).stream()).toList();
            if (!values.isEmpty()) {
                medians.put(metric, median(values));
            }
        }
        return new Figures(medians);
    }

    /** @param values at least one; of an even number the mean of the two in the middle */
    static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** By the metrics' names, for JSON. */
    public Map<String, Double> byName() {
        Map<String, Double> named = new LinkedHashMap<>();
        values.forEach((metric, value) -> named.put(metric.label(), value));
        return named;
    }
}
