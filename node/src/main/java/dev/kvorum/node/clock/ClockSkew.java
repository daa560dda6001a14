package dev.kvorum.node.clock;

import java.time.Duration;
import java.time.Instant;

/**
 * This node's clock is too far from that of a majority of the members.
 *
 * @param own what this node's clock shows
 * @param members what the clocks of the majority show
 */
public record ClockSkew(Instant own, Instant members) implements ClockObjection {
    /** How far this node's clock is ahead; negative if it is behind. */
    public Duration ahead() {
        return Duration.between(members, own);
    }

    /** For people, as "41.0 s ahead". */
    public String inWords() {
        Duration ahead = ahead();
        return "%.1f s %s".formatted(ahead.abs().toMillis() / 1000.0, ahead.isNegative() ? "behind" : "ahead");
    }
}
