package dev.kvorum.simulation.world;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and what is to happen in it: one event after the other, on the thread that made this. Between two events nothing happens, so
 * time jumps. Events of the same instant happen in the order in which they were planned. True time: clocks of machines only approach it.
 */
public final class Timeline {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Thread thread = Thread.currentThread();
    private long now;
    private long planned;
    private long happened;

    /** Something that is to happen. */
    public static final class Event implements Comparable<Event> {
        private final long at;
        private final long order;
        private @Nullable Runnable action;

        private Event(long at, long order, Runnable action) {
            this.at = at;
            this.order = order;
            this.action = action;
        }

        /** It will not happen, if it has not. */
        public void cancel() {
            action = null;
        }

        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    /** Nanoseconds since the beginning. */
    public long now() {
        return now;
    }

    /** How many events have happened. */
    public long happened() {
        return happened;
    }

    /** Lets something happen so many nanoseconds from now, at the earliest at once. */
    public Event after(long nanos, Runnable action) {
        if (!thread.equals(Thread.currentThread())) {
            throw new IllegalStateException("Something in the simulation runs on " + Thread.currentThread()
                    + ": on another thread nothing can be replayed");
        }
        Event event = new Event(now + Math.max(0, nanos), planned, action);
        planned++;
        events.add(event);
        return event;
    }

    /** Lets everything happen that is planned up to that time, which then is the present. */
    public void runUntil(long time) {
        for (Event next = events.peek(); next != null && next.at <= time; next = events.peek()) {
            happen(events.remove());
        }
        now = Math.max(now, time);
    }

    private void happen(Event event) {
        Runnable action = event.action;
        if (action != null) {
            now = event.at;
            happened++;
            action.run();
        }
    }
}
