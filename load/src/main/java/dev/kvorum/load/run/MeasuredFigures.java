package dev.kvorum.load.run;

import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Growth;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.measure.NodeSample;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** From a measurement to its figures. */
final class MeasuredFigures {
    private final Map<Metric, Double> values = new EnumMap<>(Metric.class);

    private MeasuredFigures() {}

    static Figures of(Measurement measurement) {
        MeasuredFigures figures = new MeasuredFigures();
        figures.latencies(measurement.settled().slice());
        figures.counts(measurement);
        figures.costs(measurement);
        figures.holdings(measurement.samples());
        return new Figures(figures.values);
    }

    private void latencies(Slice slice) {
        Histogram done = slice.allDone();
        if (done.getTotalCount() > 0) {
            Percentiles.table(done)
                    .forEach((name, millis) -> values.put(Metric.named(name).orElseThrow(), millis));
            values.put(Metric.MEAN, done.getMean() / 1000);
        }
        if (slice.refused().getTotalCount() > 0) {
            values.put(Metric.REFUSED_P99, Percentiles.millis(slice.refused(), 99));
        }
    }

    private void counts(Measurement measurement) {
        StretchResult result = measurement.result();
        Part settled = measurement.settled();
        values.put(Metric.THROUGHPUT, settled.throughput());
        values.put(Metric.ERRORS, (double) errors(measurement));
        values.put(Metric.REFUSED, (double) result.total().count(Outcome.REFUSED));
        values.put(Metric.LAG_P99, Percentiles.millis(settled.slice().lags(), 99));
    }

    /** After a fault those of the settled time only: a connection that breaks with its node is not the store's error. */
    private static long errors(Measurement measurement) {
        StretchResult result = measurement.result();
        Slice counted = measurement.befallen().isEmpty()
                ? result.total()
                : measurement.settled().slice();
        return counted.errors() + result.unaccounted();
    }

    private void costs(Measurement measurement) {
        StretchResult result = measurement.result();
        double ended = Math.max(1, result.total().ended());
        double cpu = measurement.serverMicros()
                / Math.max(1, measurement.settled().inTime().ended());
        values.put(Metric.CPU, cpu);
        if (cpu > 0) {
            values.put(Metric.REQUESTS_PER_CPU_SECOND, 1e6 / cpu);
        }
        values.put(Metric.GENERATOR_CPU, result.generatorMicros() / ended);
        values.put(
                Metric.PEER_CONNECTIONS,
                1000 * measurement.peerConnections() / Math.max(1.0, (double) measurement.ended()));
    }

    private void holdings(List<NodeSample> samples) {
        Map<String, List<NodeSample>> byNode =
                samples.stream().collect(Collectors.groupingBy(NodeSample::node, TreeMap::new, Collectors.toList()));
        samples.stream().mapToDouble(NodeSample::rssMiB).max().ifPresent(max -> values.put(Metric.RSS_MAX, max));
        growth(Metric.RSS_GROWTH, byNode, NodeSample::rssMiB);
        growth(Metric.HEAP_GROWTH, byNode, NodeSample::heapMiB);
        growth(Metric.THREADS_GROWTH, byNode, sample -> (double) sample.threads());
        growth(Metric.DESCRIPTORS_GROWTH, byNode, sample -> (double) sample.descriptors());
        gcPauses(byNode);
    }

    /** Of the node that grew most. */
    private void growth(
            Metric metric, Map<String, List<NodeSample>> byNode, Function<NodeSample, @Nullable Double> held) {
        for (List<NodeSample> samples : byNode.values()) {
            List<Double> series = samples.stream()
                    .flatMap(sample -> Stream.ofNullable(held.apply(sample)))
                    .toList();
            Growth.percent(series).ifPresent(percent -> values.merge(metric, percent, Math::max));
        }
    }

    /** Milliseconds of pause per second, of all nodes together. */
    private void gcPauses(Map<String, List<NodeSample>> byNode) {
        for (List<NodeSample> samples : byNode.values()) {
            List<NodeSample> told =
                    samples.stream().filter(sample -> sample.gcMillis() != null).toList();
            if (told.size() > 1) {
                NodeSample first = told.getFirst();
                NodeSample last = told.getLast();
                double pauses = zeroIfNull(last.gcMillis()) - zeroIfNull(first.gcMillis());
                values.merge(Metric.GC_PAUSES, 1000 * pauses / (last.atMillis() - first.atMillis()), Double::sum);
            }
        }
    }

    private static double zeroIfNull(@Nullable Double value) {
        return value == null ? 0 : value;
    }
}
