package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;
import java.util.ArrayList;
import java.util.List;

/** Which faults began and ended when. */
public final class FaultLog {
    private final Timeline timeline;
    private final Trace trace;
    private final List<String> lines = new ArrayList<>();

    public FaultLog(Timeline timeline, Trace trace) {
        this.timeline = timeline;
        this.trace = trace;
    }

    void began(Fault fault) {
        add("begins", fault);
    }

    void ended(Fault fault) {
        add("ends  ", fault);
    }

    private void add(String what, Fault fault) {
        lines.add(Trace.time(timeline.now()) + "  " + what + "  " + fault.words());
        trace.note("fault", what, fault.words().hashCode(), fault::words);
    }

    /** A line each, in the order of time. */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
