package dev.kvorum.load.chaos.fault;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a node whose disk is damaged says of itself.
 *
 * @param readiness in its words; empty if it does not answer
 * @param isReady   whether it serves
 * @param lacks     how many partitions; empty if it does not tell
 */
record NodeSight(String readiness, boolean isReady, OptionalInt lacks) {
    /** Within that a node compares all that it holds, and so reads it. */
    private static final Duration UNMET_MAX = Duration.ofSeconds(25);

    /** One that has lost something says so by then. */
    private static final Duration SOUND_AFTER = Duration.ofSeconds(5);

    private static final String DAMAGED = "is damaged";

    /** What follows from it. */
    enum Judgement {
        /** Nothing yet. */
        WAIT,
        /** The node holds all that others hold. */
        WHOLE,
        /** The node has met a damaged file, and needs somebody who replaces its database. */
        DAMAGED,
        /** The node had its time to meet the damaged file, which is still there. */
        DAMAGED_UNMET
    }

    /**
     * Judges it.
     *
     * @param hasLost   whether the node has begun with an empty database since
     * @param isDamaged whether a file is damaged yet that the node may not have met
     * @param readyFor  how long it has been ready without a break
     */
    Judgement judge(boolean hasLost, boolean isDamaged, Duration readyFor) {
        if (readiness.contains(DAMAGED)) {
            return Judgement.DAMAGED;
        }
        if (!isReady || lacks.orElse(1) > 0) {
            return Judgement.WAIT;
        }
        if (hasLost) {
            return Judgement.WHOLE;
        }
        if (isDamaged) {
            return readyFor.compareTo(UNMET_MAX) > 0 ? Judgement.DAMAGED_UNMET : Judgement.WAIT;
        }
        return readyFor.compareTo(SOUND_AFTER) > 0 ? Judgement.WHOLE : Judgement.WAIT;
    }

    String inWords() {
        if (readiness.isEmpty()) {
            return "it does not answer";
        }
        String partitions = lacks.isPresent() ? ", and it lacks " + lacks.getAsInt() + " partitions" : "";
        return (isReady ? "it is ready" : "it is not ready: " + readiness) + partitions;
    }
}
