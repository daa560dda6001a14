package dev.kvorum.load.chaos.fault;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Faults that only one at a time may bring about, as two of them together could break what no cluster can keep. A turn that lasts long needs quiet: what it waits for goes on only while all
 * members answer. Any thread.
 */
public final class Turn {
    private static final Duration HELD_UP_MAX = Duration.ofSeconds(30);

    private @Nullable Purpose purpose;
    private long since;

    /** What a turn is taken for. */
    enum Purpose {
        /** A change of the members. */
        CHANGE,
        /** A disk that has lost something, until its node holds all again. */
        DAMAGE,
        /** A clock that is wrong. Most members must be right for the others to know the time. */
        CLOCK
    }

    /** Takes it unless it is taken; whether that was so. */
    synchronized boolean take(Purpose taken) {
        if (purpose != null) {
            return false;
        }
        purpose = taken;
        since = System.nanoTime();
        return true;
    }

    /** The time for which it may last without quiet begins anew. */
    synchronized void renew() {
        since = System.nanoTime();
    }

    synchronized void release() {
        purpose = null;
    }

    synchronized boolean isTaken() {
        return purpose != null;
    }

    synchronized boolean isTakenFor(Purpose taken) {
        return purpose == taken;
    }

    /** Whether it has been held up for so long that other faults have to wait for it. */
    synchronized boolean needsQuiet() {
        return purpose != null && System.nanoTime() - since > HELD_UP_MAX.toNanos();
    }
}
