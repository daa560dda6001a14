package dev.kvorum.load.chaos.fault;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Whether a node notices that its clock is wrong: by how much, it tells. One thread.
 *
 * @param set how far the clock is ahead
 */
record ClockNotice(Duration set) {
    /** It has heard the others by then, while most of them answer. */
    static final Duration NOTICED_MAX = Duration.ofSeconds(20);

    private static final double ERROR_SECONDS_MAX = 1;
    private static final double MILLIS_PER_SECOND = 1000;

    /** What follows from what it tells. */
    enum Judgement {
        /** It tells what was done. */
        NOTICED,
        /** Nothing yet. */
        WAIT,
        /** It had its time to notice. */
        OVERLOOKED
    }

    /** How wrong the clock is, as a part of a sentence. */
    String inWords() {
        return new ClockError(set, 0).inWords();
    }

    /**
     * Judges it.
     *
     * @param told      how far it thinks that its clock is ahead, in seconds; empty if it does not answer, not a number where it hears no majority
     * @param quietFor how long the node and a majority have answered without a break
     */
    Judgement judge(OptionalDouble told, Duration quietFor) {
        double wrong = Math.abs(told.orElse(Double.NaN) - set.toMillis() / MILLIS_PER_SECOND);
        if (wrong <= ERROR_SECONDS_MAX) {
            return Judgement.NOTICED;
        }
        return quietFor.compareTo(NOTICED_MAX) > 0 ? Judgement.OVERLOOKED : Judgement.WAIT;
    }
}
