package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The faults of one run, planned before it begins: so what they are does not depend on what the cluster does. */
public final class FaultPlan {
    private final List<Planned> faults = new ArrayList<>();
    private final Set<Fault> present = new LinkedHashSet<>();

    private record Planned(long begin, long lasts, Fault fault) {}

    /**
     * Plans the faults of a run.
     *
     * @param kinds that may occur
     * @param gapMean from the beginning of one to that of the next on average, in nanoseconds
     * @param lastsMax how long one lasts at most
     * @param end after which none begins
     */
    public static FaultPlan of(
            List<FaultKind> kinds, long gapMean, long lastsMax, long end, Cluster cluster, Chance chance) {
        FaultPlan plan = new FaultPlan();
        long at = chance.exponential(gapMean);
        while (!kinds.isEmpty() && at < end) {
            FaultKind kind = chance.oneOf(kinds);
            Fault fault = kind.make(cluster, chance);
            long lasts = chance.spread(kind.lastsMin(), Math.max(lastsMax, 2 * kind.lastsMin()));
            plan.faults.add(new Planned(at, lasts, fault));
            at += 1 + chance.exponential(gapMean);
        }
        return plan;
    }

    /**
     * Puts them on the timeline.
     *
     * @param without the places of those that are left out, from 0
     */
    public void begin(Timeline timeline, FaultLog log, Set<Integer> without) {
        for (int place = 0; place < faults.size(); place++) {
            Planned planned = faults.get(place);
            if (!without.contains(place)) {
                var _ = timeline.after(planned.begin, () -> begin(planned, timeline, log));
            }
        }
    }

    private void begin(Planned planned, Timeline timeline, FaultLog log) {
        Fault fault = planned.fault;
        log.began(fault);
        present.add(fault);
        fault.begin().run();
        var _ = timeline.after(planned.lasts, () -> end(fault, log));
    }

    private void end(Fault fault, FaultLog log) {
        if (present.remove(fault)) {
            fault.end().run();
            log.ended(fault);
        }
    }

    /** Ends those that last. None must begin any more. */
    public void endAll(FaultLog log) {
        List.copyOf(present).forEach(fault -> end(fault, log));
    }

    /** How many there are. */
    public int size() {
        return faults.size();
    }
}
