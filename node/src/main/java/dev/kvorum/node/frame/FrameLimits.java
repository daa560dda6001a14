package dev.kvorum.node.frame;

import java.time.Duration;

/**
 * The bounds of both ends of a connection.
 *
 * @param bodyMax longest body of a message, in bytes
 * @param callsMax calls in flight on one connection; a further one is refused
 * @param bytesMax bytes of bodies that wait to be sent over one connection, and as many that have come in part; what comes on top
 *     is refused
 * @param replyTimeout how long the caller waits for a reply, and each end for the other's greeting
 * @param silenceMax how long a connection may be silent, though asked, before it is given up
 * @param allowance memory for bodies, over all connections
 */
public record FrameLimits(
        int bodyMax, int callsMax, long bytesMax, Duration replyTimeout, Duration silenceMax, Allowance allowance) {
    private static final long TICKS_PER_TIMEOUT = 20;
    private static final long TICK_MILLIS_MIN = 5;
    private static final long TICK_MILLIS_MAX =
            10; // Else so many calls are late at once that those which are not wait for them.

    /** How often is looked for what is late: a twentieth of the reply time-out, 5 to 10 ms. */
    Duration tick() {
        return Duration.ofMillis(
                Math.clamp(replyTimeout.toMillis() / TICKS_PER_TIMEOUT, TICK_MILLIS_MIN, TICK_MILLIS_MAX));
    }
}
