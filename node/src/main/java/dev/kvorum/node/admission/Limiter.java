package dev.kvorum.node.admission;

import java.util.function.IntSupplier;

/**
 * Bounds the operations that are under way. While the loop is busy it admits {@value #BUSY_LIMIT} at most: more would only make each take longer and cost more. Else it admits as many
 * as there is memory for.
 *
 * <p>The bound does not follow the latency of operations, which grows with one slow replica as well.
 *
 * <p>Confined to the thread of its loop.
 */
final class Limiter {
    /** Operations under way at most where the loop is busy all the time. */
    static final int BUSY_LIMIT = 64;

    private final IntSupplier limit;
    private final LoopLoad load;
    private int inFlight; // Not volatile: those who watch may see it late.

    /** @param limit operations under way, at least 1: {@link MemoryLimit} */
    Limiter(IntSupplier limit, LoopLoad load) {
        this.limit = limit;
        this.load = load;
    }

    int inFlight() {
        return inFlight;
    }

    void begun() {
        inFlight++;
    }

    void ended() {
        inFlight--;
    }

    /** Whether one more operation may begin. Looks at the load only where that matters. */
    boolean hasRoom() {
        return inFlight < busyLimit() || inFlight < bound();
    }

    /** How many more operations may begin now; below 0 where more are under way than may be. */
    int room() {
        return bound() - inFlight;
    }

    private int bound() {
        return load.isBusyNow() ? busyLimit() : limit.getAsInt();
    }

    /** How many may be under way where the loop is busy. */
    int busyLimit() {
        return Math.min(limit.getAsInt(), BUSY_LIMIT);
    }
}
