package dev.kvorum.simulation.world;

import java.time.Duration;

/**
 * The clocks of one machine: one that only goes forward, though too fast or too slow, and a wall clock on top of it, which may be set, also
 * back.
 */
public final class MachineClock {
    /** When simulations begin, in milliseconds since 1970: 2026-01-01, by all clocks that are right. */
    public static final long EPOCH_MILLIS = 1_767_225_600_000L;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Timeline timeline;
    private double rate = 1;
    private long knownAt; // In true time.
    private double nanosThen;
    private long wallOffsetNanos;

    public MachineClock(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Nanoseconds since the beginning, by this machine. Never back. */
    public long nanos() {
        return (long) exactNanos();
    }

    private double exactNanos() {
        return nanosThen + (timeline.now() - knownAt) * rate;
    }

    /** Milliseconds since 1970, as this machine believes. */
    public long wallMillis() {
        return EPOCH_MILLIS + Math.floorDiv(nanos() + wallOffsetNanos, NANOS_PER_MILLI);
    }

    /** Sets the wall clock so much ahead, or back. */
    public void set(Duration ahead) {
        wallOffsetNanos += ahead.toNanos();
    }

    /** From now on it counts so many nanoseconds in each true one. */
    public void run(double newRate) {
        nanosThen = exactNanos();
        knownAt = timeline.now();
        rate = newRate;
    }

    /** The true time in which that much passes on this machine. */
    public long trueNanos(long localNanos) {
        return (long) Math.ceil(localNanos / rate);
    }
}
