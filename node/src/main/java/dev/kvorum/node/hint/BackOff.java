package dev.kvorum.node.hint;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/** Pauses between attempts: each is twice as long as the one before, less up to half of it by chance. Not thread-safe. */
final class BackOff {
    static final long MIN = TimeUnit.MILLISECONDS.toNanos(500);
    static final long MAX = TimeUnit.SECONDS.toNanos(8);

    private final DoubleSupplier chance;
    private long next = MIN;

    /** @param chance numbers from 0 to below 1 */
    BackOff(DoubleSupplier chance) {
        this.chance = chance;
    }

    /** How long to wait now, in nanoseconds. */
    long next() {
        long now = next;
        next = Math.min(2 * now, MAX);
        return jittered(now);
    }

    /** The longest pause. */
    long longest() {
        return jittered(MAX);
    }

    private long jittered(long nanos) {
        return (long) (nanos * (1 - chance.getAsDouble() / 2));
    }

    /** The next attempt is a first one again. */
    void reset() {
        next = MIN;
    }
}
