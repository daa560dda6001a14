package dev.kvorum.node.clock;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time that versions are made of. It starts as wall time and runs on the monotonic clock from then on: when somebody sets the wall clock, this one goes on as before.
 * {@link ClockWatch} decides whether a step of the wall clock is taken over.
 *
 * <p>Any thread; no call blocks. It may go back where a step back is taken over: a {@link dev.kvorum.node.cell.HybridClock} on top of it does not.
 */
public final class SteadyClock {
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** A step enters over a hundred times its length. */
    private static final long SLOWNESS = 100;

    private final LongSupplier wallMillis;
    private final LongSupplier nanos;
    private final AtomicLong origin; // What it shows at nanosecond 0.

    /**
     * @param wallMillis milliseconds since 1970, by a clock that people and time servers set
     * @param nanos nanoseconds from any origin, by a clock that nobody sets
     */
    public SteadyClock(LongSupplier wallMillis, LongSupplier nanos) {
        this.wallMillis = wallMillis;
        this.nanos = nanos;
        this.origin = new AtomicLong(wallMillis.getAsLong() - monotonicMillis());
    }

    /** Milliseconds since 1970. */
    public long millis() {
        return origin.get() + monotonicMillis();
    }

    /** How far the wall clock is ahead of this one, in milliseconds; negative if it is behind. */
    long step() {
        return wallMillis.getAsLong() - millis();
    }

    /** Takes the step over at once. */
    void adoptStep() {
        origin.addAndGet(step());
    }

    /** Takes over as much of the step as may enter in that time. */
    void approachStep(long elapsedMillis) {
        long most = elapsedMillis / SLOWNESS;
        origin.addAndGet(Math.clamp(step(), -most, most));
    }

    private long monotonicMillis() {
        return Math.floorDiv(nanos.getAsLong(), NANOS_PER_MILLI);
    }
}
