package dev.kvorum.node.clock;

import java.time.Duration;
import java.time.Instant;

/**
 * This node has issued versions too far ahead, in this life or a former one, as its clock was wrong then. What it stamps now is above them, and other members refuse that.
 *
 * @param newest the time of the newest of them
 * @param now what the clocks of the majority show
 */
public record IssuedAhead(Instant newest, Instant now) implements ClockObjection {
    @Override
    public Duration ahead() {
        return Duration.between(now, newest);
    }
}
