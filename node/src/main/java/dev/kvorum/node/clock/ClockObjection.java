package dev.kvorum.node.clock;

import java.time.Duration;

/** Why this node stamps no plain writes of clients. */
public sealed interface ClockObjection permits ClockSkew, IssuedAhead {
    /** How far a time is ahead; negative if it is behind. */
    Duration ahead();

    /** For people, as "41.0 s ahead". */
    default String inWords() {
        return "%.1f s %s".formatted(ahead().abs().toMillis() / 1000.0, ahead().isNegative() ? "behind" : "ahead");
    }
}
