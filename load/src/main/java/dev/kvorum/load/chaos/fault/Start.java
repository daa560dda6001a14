package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.time.Duration;
import java.time.Instant;

/**
 * A start of a node to whose disk nothing was done.
 *
 * @param at        by the clock of the history, after the process before had ended
 * @param awaySince when that had ended
 */
record Start(NodeProcess node, long at, Instant awaySince) {
    private static final Duration FILE_TIME_ERROR_MAX = Duration.ofSeconds(1); // The kernel's clock for them is coarse.

    /**
     * So old the node's last note of its life may be when it ends. It makes one in each tenth of the grace period, but not while it stands still or its disk is full.
     */
    private static final Duration NOTE_AGE_MAX = Duration.ofSeconds(20);

    /** Whether what happened at that time, as files tell it, happened since the process before had ended. */
    boolean hasSeen(Instant time) {
        return time.isAfter(awaySince.minus(FILE_TIME_ERROR_MAX));
    }

    /**
     * Whether the node had no reason to set its database aside: it was away for less than deletions are kept.
     *
     * @param setAside when it did that
     * @param grace    {@code kvorum.repair.tombstone-grace}
     */
    boolean isTooShortFor(Instant setAside, Duration grace) {
        return awayUntil(setAside).plus(NOTE_AGE_MAX).compareTo(grace) < 0;
    }

    /** How long it was away until then. */
    Duration awayUntil(Instant time) {
        return Duration.between(awaySince, time);
    }
}
