package dev.kvorum.node.clock;

import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * The time that versions are made of. It starts as wall time and runs on the monotonic clock from then on: when somebody sets the wall clock, this one goes on as before.
 * {@link ClockWatch} decides whether a step of the wall clock is taken over, and says how far the clocks of a majority are ahead. Who takes over a step is so much less behind the
 * others: both change at once, and {@link #agreedMillis} does not jump.
 *
 * <p>Any thread may read it; one at a time changes it. No call blocks. It may go back where a step back is taken over: a {@link dev.kvorum.node.cell.HybridClock} on top of it does
 * not.
 */
public final class SteadyClock {
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** A step enters over a hundred times its length. */
    private static final long SLOWNESS = 100;

    private final LongSupplier wallMillis;
    private final LongSupplier nanos;
    private volatile Reference reference;

    /**
     * What the monotonic clock counts from.
     *
     * @param origin what this clock shows at nanosecond 0
     * @param ahead how far the majority's clocks are ahead of it, as they were last heard; empty if they never were
     */
    private record Reference(long origin, OptionalLong ahead) {
        Reference movedBy(long millis) {
            return new Reference(
                    origin + millis, ahead.isPresent() ? OptionalLong.of(ahead.getAsLong() - millis) : ahead);
        }
    }

    /**
     * @param wallMillis milliseconds since 1970, by a clock that people and time servers set
     * @param nanos nanoseconds from any origin, by a clock that nobody sets
     */
    public SteadyClock(LongSupplier wallMillis, LongSupplier nanos) {
        this.wallMillis = wallMillis;
        this.nanos = nanos;
        this.reference = new Reference(wallMillis.getAsLong() - monotonicMillis(), OptionalLong.empty());
    }

    /** Milliseconds since 1970. */
    public long millis() {
        return reference.origin + monotonicMillis();
    }

    /** The time of the majority as far as it is known, else as {@link #millis}; in milliseconds since 1970. */
    public long agreedMillis() {
        Reference now = reference;
        return now.origin + now.ahead.orElse(0) + monotonicMillis();
    }

    /** How far the majority's clocks were ahead of this one when they were last heard, in milliseconds; empty if they never were. */
    OptionalLong ahead() {
        return reference.ahead;
    }

    /** A majority was heard: its clocks are so far ahead. */
    void agree(long ahead) {
        reference = new Reference(reference.origin, OptionalLong.of(ahead));
    }

    /** How far the wall clock is ahead of this one, in milliseconds; negative if it is behind. */
    long step() {
        return wallMillis.getAsLong() - millis();
    }

    /** Takes the step over at once. */
    void adoptStep() {
        reference = reference.movedBy(step());
    }

    /** Takes over as much of the step as may enter in that time. */
    void approachStep(long elapsedMillis) {
        long most = elapsedMillis / SLOWNESS;
        reference = reference.movedBy(Math.clamp(step(), -most, most));
    }

    private long monotonicMillis() {
        return Math.floorDiv(nanos.getAsLong(), NANOS_PER_MILLI);
    }
}
