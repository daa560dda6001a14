package dev.kvorum.load.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The processor time that nodes took, between any two moments of those at which they were looked at: even within each second. */
public final class ProcessorSeries {
    private final List<List<NodeSample>> byNode = new ArrayList<>();

    public ProcessorSeries(List<NodeSample> samples) {
        Map<String, List<NodeSample>> grouped = samples.stream()
                .sorted(Comparator.comparingLong(NodeSample::atMillis))
                .collect(Collectors.groupingBy(NodeSample::node));
        byNode.addAll(grouped.values());
    }

    /**
     * Of all nodes, in microseconds. Of a node that has ended, up to when it was last seen.
     *
     * @param fromMillis  since the epoch
     * @param untilMillis since the epoch
     */
    public double micros(long fromMillis, long untilMillis) {
        double sum = 0;
        for (List<NodeSample> samples : byNode) {
            sum += at(samples, untilMillis) - at(samples, fromMillis);
        }
        return sum;
    }

    private static double at(List<NodeSample> samples, long millis) {
        NodeSample before = samples.getFirst();
        for (NodeSample sample : samples) {
            if (sample.atMillis() >= millis) {
                double length = sample.atMillis() - before.atMillis();
                double share = length <= 0 ? 0 : Math.max(0, millis - before.atMillis()) / length;
                return before.cpuMicros() + share * (sample.cpuMicros() - before.cpuMicros());
            }
            before = sample;
        }
        return before.cpuMicros();
    }
}
