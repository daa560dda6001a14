package dev.kvorum.node.admission;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long operations wait at a full gate. In a burst, which ends by itself, they wait for as long as a burst may last. A queue that stands for longer only makes everybody late: then an
 * operation waits {@value #STANDING_MILLIS_MAX} ms. This is the controlled delay of Nichols and Jacobson, as Maurer has it for servers.
 *
 * <p>Where the loop is busy operations wait as in a burst: one turn of the loop may end all of them, and time passes while the system does not run the loop. The short wait would refuse all at
 * once then, and leave nobody to serve.
 *
 * <p>Confined to the thread of its loop.
 */
final class ControlledDelay {
    /** How long an operation waits at a gate that stays full though its loop is not busy, in milliseconds. */
    static final int STANDING_MILLIS_MAX = 5;

    private static final long STANDING_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(STANDING_MILLIS_MAX);

    private final long burstNanosMax;
    private boolean full; // Since then nobody has found room at once, or left it behind.
    private long fullSince;

    /** @param burstMax how long an operation may wait in a burst, and how long a burst may last */
    ControlledDelay(Duration burstMax) {
        this.burstNanosMax = burstMax.toNanos();
    }

    /** An operation has to wait. */
    void full(long now) {
        if (!full) {
            full = true;
            fullSince = now;
        }
    }

    /** There was room, and nobody who waits for it. */
    void room() {
        full = false;
    }

    /** Whether the queue stands: the gate has been full for longer than a burst lasts. */
    boolean stands(long now) {
        return now - fullSince >= burstNanosMax;
    }

    /** How long an operation may wait now, in nanoseconds. */
    long waitMax(long now, boolean busy) {
        return stands(now) && !busy ? Math.min(STANDING_NANOS_MAX, burstNanosMax) : burstNanosMax;
    }

    /** How much of a rest passes before the queue stands and operations may wait less, in nanoseconds. */
    long untilStanding(long rest, long now) {
        return stands(now) ? rest : Math.min(rest, fullSince + burstNanosMax - now);
    }
}
