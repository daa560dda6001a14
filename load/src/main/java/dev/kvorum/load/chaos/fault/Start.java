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
    /**
     * By so much a node may have noted its life earlier than it ended: a tenth of the grace period, and for as long as it stood still or its disk was full before.
     */
    private static final Duration NOTE_AGE_MAX = Duration.ofSeconds(20);

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
