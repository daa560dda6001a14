package dev.kvorum.node.admission;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether an event loop is busy all the time, by a look every {@value #LOOK_MILLIS} ms at most. Not by how late the loop runs its tasks: on processors shared with others such
 * a measure starved the loop ({@code docs/design/0016-steps.md}).
 *
 * <p>Confined to the thread of the loop.
 */
final class LoopLoad {
    /** How often it is looked whether the loop is busy, in milliseconds. */
    static final int LOOK_MILLIS = 100;

    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
    private static final double BUSY_SHARE_MIN = 0.9;

    private final LongSupplier nanoTime;
    private final LongSupplier loopNanos;
    private final Runnable whenIdle;
    private boolean busy;
    private long lookedAt;
    private long loopNanosThen;

    /**
     * @param loopNanos how long the loop has had something to do, in nanoseconds: {@link BusyTime}
     * @param whenIdle run when a loop that was busy is so no more
     */
    LoopLoad(LongSupplier nanoTime, LongSupplier loopNanos, Runnable whenIdle) {
        this.nanoTime = nanoTime;
        this.loopNanos = loopNanos;
        this.whenIdle = whenIdle;
    }

    /** Looks again, if the last look was long enough ago. */
    boolean isBusyNow() {
        look(nanoTime.getAsLong());
        return busy;
    }

    /** As of the last look. */
    boolean isBusy() {
        return busy;
    }

    /** @param now the present, as {@code nanoTime} gives it */
    void look(long now) {
        long since = now - lookedAt;
        if (since >= LOOK_NANOS) {
            long worked = loopNanos.getAsLong();
            boolean wasBusy = busy;
            busy = worked - loopNanosThen >= since * BUSY_SHARE_MIN;
            loopNanosThen = worked;
            lookedAt = now;
            if (wasBusy && !busy) {
                whenIdle.run();
            }
        }
    }
}
