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
    @Override
    public Duration ahead() {
        return Duration.between(members, own);
    }
}
