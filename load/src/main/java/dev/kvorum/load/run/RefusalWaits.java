package dev.kvorum.load.run;

import dev.kvorum.load.cluster.NodeProcess;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long requests had waited in nodes which then refused them, as nodes tell it.
 *
 * @param seconds of all of them together, since the nodes began
 * @param count   of them
 */
record RefusalWaits(double seconds, double count) {
    /** That nodes remember the longest wait, at least. */
    static final double REMEMBERED_SECONDS = 40;

    private static final String METRIC = "kvorum_client_waits_seconds";
    private static final String REFUSED = ".refused";
    private static final String LONGEST = METRIC + "_max";

    /** Empty if one of them does not tell. */
    static Optional<RefusalWaits> toldBy(List<NodeProcess> nodes) throws InterruptedException {
        RefusalWaits all = new RefusalWaits(0, 0);
        for (NodeProcess node : nodes) {
            Optional<RefusalWaits> told =
                    node.management().metrics(List.of(METRIC)).flatMap(RefusalWaits::of);
            if (told.isEmpty()) {
                return Optional.empty();
            }
            all = new RefusalWaits(all.seconds + told.get().seconds, all.count + told.get().count);
        }
        return Optional.of(all);
    }

    static Optional<RefusalWaits> of(Map<String, Double> metrics) {
        Double seconds = metrics.get(METRIC + "_sum" + REFUSED);
        Double count = metrics.get(METRIC + "_count" + REFUSED);
        return seconds == null || count == null ? Optional.empty() : Optional.of(new RefusalWaits(seconds, count));
    }

    /** Of those since then; 0 if nobody has waited in vain. */
    double meanMillisSince(RefusalWaits before) {
        double more = count - before.count;
        return more > 0 ? 1000 * (seconds - before.seconds) / more : 0;
    }

    /** Of the node where it was longest; empty if none tells. Nodes remember it for {@link #REMEMBERED_SECONDS}. */
    static Optional<Double> longestMillis(List<NodeProcess> nodes) throws InterruptedException {
        Optional<Double> longest = Optional.empty();
        for (NodeProcess node : nodes) {
            Double seconds = node.management()
                    .metrics(List.of(LONGEST))
                    .map(told -> told.get(LONGEST + REFUSED))
                    .orElse(null);
            if (seconds != null) {
                longest = Optional.of(Math.max(longest.orElse(0.0), 1000 * seconds));
            }
        }
        return longest;
    }
}
