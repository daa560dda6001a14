package dev.kvorum.load.chaos.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Faults whose time has come, and that may not begin yet, as enough nodes are in faults already. The kind that came least often in proportion to its share goes first: so each kind comes where not all can.
 * One thread.
 */
final class FaultQueue {
    /** For so long a fault waits; then it is skipped. Twice as long as a change or a damaged disk waits before others have to wait for it. */
    static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private final List<PlannedFault> waiting = new ArrayList<>();
    private final Map<FaultKind, Integer> begun = new EnumMap<>(FaultKind.class);

    void add(PlannedFault fault) {
        waiting.add(fault);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Lets those begin that can.
     *
     * @param begins begins a fault if that may befall now; whether it did
     */
    void offer(Predicate<PlannedFault> begins) {
        Comparator<PlannedFault> order = Comparator.comparingDouble(this::comes).thenComparing(PlannedFault::at);
        for (PlannedFault fault : waiting.stream().sorted(order).toList()) {
            if (begins.test(fault)) {
                waiting.remove(fault);
                begun.merge(fault.kind(), 1, Integer::sum);
            }
        }
    }

    /** How often its kind came, in proportion to its share. */
    private double comes(PlannedFault fault) {
        return (double) begun.getOrDefault(fault.kind(), 0) / fault.kind().share();
    }

    /** Takes out those that have waited for too long, at that time after the beginning of the schedule. */
    List<PlannedFault> expired(Duration now) {
        return takeOut(fault -> now.minus(fault.at()).compareTo(WAIT_MAX) > 0);
    }

    /** Takes out all. */
    List<PlannedFault> rest() {
        return takeOut(_ -> true);
    }

    private List<PlannedFault> takeOut(Predicate<PlannedFault> which) {
        List<PlannedFault> out = waiting.stream().filter(which).toList();
        waiting.removeAll(out);
        return out;
    }
}
