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
import dev.kvorum.load.measure.NodeSample.Told;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
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
        figures.holdings(measurement);
        figures.heapGrowth(measurement.alive().before(), measurement.alive().after());
        return new Figures(figures.values);
    }

    private void latencies(Slice slice) {
        values.putAll(Percentiles.figures(slice.allDone()));
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
        values.put(Metric.RESTED, measurement.machine().restedPercent());
        values.put(Metric.STOLEN, measurement.machine().stolenPercent());
    }

    private void holdings(Measurement measurement) {
        List<NodeSample> samples = measurement.samples();
        Map<String, List<NodeSample>> byNode =
                samples.stream().collect(Collectors.groupingBy(NodeSample::node, TreeMap::new, Collectors.toList()));
        most(Metric.RSS_MAX, samples, sample -> Optional.of(sample.rssMiB()));
        most(Metric.NATIVE_MAX, samples, NodeSample::nativeMiB);
        most(
                Metric.ROCKSDB_MAX,
                samples,
                sample -> Optional.ofNullable(sample.told()).map(Told::rocksdbMiB));
        most(Metric.THREADS_MAX, samples, sample -> Optional.of((double) sample.threads()));
        growth(Metric.RSS_GROWTH, byNode, sample -> Optional.of(sample.rssMiB()));
        growth(Metric.NATIVE_GROWTH, byNode, NodeSample::nativeMiB);
        growth(Metric.THREADS_GROWTH, byNode, sample -> Optional.of((double) sample.threads()));
        growth(Metric.DESCRIPTORS_GROWTH, byNode, sample -> Optional.of((double) sample.descriptors()));
        gcPauses(byNode);
        count(Metric.PEER_CONNECTIONS, byNode, Told::connectionsOpened, measurement.ended());
        count(Metric.CALLED_OFF, byNode, Told::calledOff, measurement.ended());
        count(Metric.HEDGES, byNode, Told::hedges, measurement.ended());
    }

    /** Of the node that had most. */
    private void most(Metric metric, List<NodeSample> samples, Function<NodeSample, Optional<Double>> held) {
        series(samples, held).stream().max(Comparator.naturalOrder()).ifPresent(most -> values.put(metric, most));
    }

    /** Where it is known. */
    private static List<Double> series(List<NodeSample> samples, Function<NodeSample, Optional<Double>> held) {
        return samples.stream().flatMap(sample -> held.apply(sample).stream()).toList();
    }

    /** Of the node whose live heap grew most; absent if it is not known of both times. */
    private void heapGrowth(Map<String, Long> before, Map<String, Long> after) {
        after.forEach((node, bytes) -> Growth.percent(before.getOrDefault(node, 0L), bytes)
                .ifPresent(percent -> values.merge(Metric.HEAP_GROWTH, percent, Math::max)));
    }

    /** Of the node that grew most. */
    private void growth(
            Metric metric, Map<String, List<NodeSample>> byNode, Function<NodeSample, Optional<Double>> held) {
        for (List<NodeSample> samples : byNode.values()) {
            Growth.percent(series(samples, held)).ifPresent(percent -> values.merge(metric, percent, Math::max));
        }
    }

    /** Milliseconds of pause per second, of all nodes together. */
    private void gcPauses(Map<String, List<NodeSample>> byNode) {
        for (List<NodeSample> samples : byNode.values()) {
            List<NodeSample> asked =
                    samples.stream().filter(sample -> sample.told() != null).toList();
            if (asked.size() > 1) {
                double pauses = gcMillis(asked.getLast()) - gcMillis(asked.getFirst());
                long millis = asked.getLast().atMillis() - asked.getFirst().atMillis();
                values.merge(Metric.GC_PAUSES, 1000 * pauses / millis, Double::sum);
            }
        }
    }

    /** What all nodes together counted per 1,000 requests. Absent unless all of them tell, at two times or more. */
    private void count(
            Metric metric, Map<String, List<NodeSample>> byNode, Function<Told, @Nullable Double> counter, long ended) {
        if (byNode.isEmpty()) {
            return;
        }
        double counted = 0;
        for (List<NodeSample> samples : byNode.values()) {
            List<Double> counts =
                    series(samples, sample -> Optional.ofNullable(sample.told()).map(counter));
            if (counts.size() < 2) {
                return;
            }
            counted += counts.getLast() - counts.getFirst();
        }
        values.put(metric, 1000 * counted / Math.max(1.0, (double) ended));
    }

    private static double gcMillis(NodeSample asked) {
        return Objects.requireNonNull(asked.told()).gcMillis();
    }
}
