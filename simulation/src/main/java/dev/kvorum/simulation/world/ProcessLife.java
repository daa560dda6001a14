package dev.kvorum.simulation.world;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process from its start to its end. Whatever happens in it goes through here: after its end nothing happens any more, and while it is
 * frozen all waits, and then happens in the order in which it would have.
 */
public final class ProcessLife {
    private final Timeline timeline;
    private final MachineClock clock;
    private final int number;
    private boolean over;
    private @Nullable List<Runnable> waiting; // While it is frozen.
    private long runsSince; // By its own clock.

    /** Something that it is to do. */
    public static final class Later {
        private @Nullable Runnable action;

        private Later(Runnable action) {
            this.action = action;
        }

        /** It is not done, if it has not been; not even if its time came while the process was frozen. */
        public void cancel() {
            action = null;
        }

        private void happen() {
            if (action != null) {
                action.run();
            }
        }
    }

    /** @param number counts the lives of this node, from 1 */
    public ProcessLife(Timeline timeline, MachineClock clock, int number) {
        this.timeline = timeline;
        this.clock = clock;
        this.number = number;
        this.runsSince = clock.nanos();
    }

    public int number() {
        return number;
    }

    public MachineClock clock() {
        return clock;
    }

    /** So many nanoseconds ago, by its own clock, it began, or went on after it was last frozen. Asked while it is not. */
    public long runsFor() {
        return clock.nanos() - runsSince;
    }

    public boolean isOver() {
        return over;
    }

    /** Does this now, or when it goes on, or never. */
    public void run(Runnable action) {
        if (over) {
            return;
        }
        if (waiting == null) {
            action.run();
        } else {
            waiting.add(action);
        }
    }

    /** Does this when so much has passed by its own clock. */
    public Later after(long localNanos, Runnable action) {
        Later later = new Later(action);
        var _ = timeline.after(clock.trueNanos(localNanos), () -> run(later::happen));
        return later;
    }

    public void freeze() {
        if (waiting == null) {
            waiting = new ArrayList<>();
        }
    }

    public void thaw() {
        List<Runnable> held = waiting;
        waiting = null;
        if (held != null) {
            runsSince = clock.nanos();
            held.forEach(action -> timeline.after(0, () -> run(action)));
        }
    }

    public void end() {
        over = true;
        waiting = null;
    }
}
