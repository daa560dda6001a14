package dev.kvorum.load.figure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Percentiles of a histogram of microseconds, in milliseconds. */
public final class Percentiles {
    /** The table of the field reports. */
    public static final List<Double> TABLE = List.of(50.0, 75.0, 90.0, 99.0, 99.9, 99.99, 100.0);

    private static final int POINTS_PER_DECADE = 24;

    private Percentiles() {}

    public static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1000.0;
    }

    /** Values of {@link #TABLE} by their names: p50 to p99.99, then max. Empty for an empty histogram. */
    public static Map<String, Double> table(Histogram micros) {
        Map<String, Double> table = new LinkedHashMap<>();
        if (micros.getTotalCount() > 0) {
            for (double percentile : TABLE) {
                table.put(name(percentile), millis(micros, percentile));
            }
        }
        return table;
    }

    /** The same as figures, with the mean. */
    public static Map<Metric, Double> figures(Histogram micros) {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        table(micros).forEach((name, millis) -> figures.put(Metric.named(name).orElseThrow(), millis));
        if (micros.getTotalCount() > 0) {
            figures.put(Metric.MEAN, micros.getMean() / 1000);
        }
        return figures;
    }

    static String name(double percentile) {
        if (percentile == 100) {
            return "max";
        }
        return percentile == Math.rint(percentile) ? "p" + (int) percentile : "p" + percentile;
    }

    /**
     * Points of the latency curve: {@code [1 / (1 - q), milliseconds]}, evenly spaced on a logarithmic axis, up to the last quantile that
     * at least one request lies beyond. The last point is the maximum.
     */
    public static List<double[]> curve(Histogram micros) {
        List<double[]> points = new ArrayList<>();
        long count = micros.getTotalCount();
        if (count == 0) {
            return points;
        }
        for (int i = 0; ; i++) {
            double beyond = Math.pow(10, (double) i / POINTS_PER_DECADE);
            if (beyond > count) {
                break;
            }
            points.add(new double[] {beyond, millis(micros, 100 * (1 - 1 / beyond))});
        }
        points.add(new double[] {count, millis(micros, 100)});
        return points;
    }
}
