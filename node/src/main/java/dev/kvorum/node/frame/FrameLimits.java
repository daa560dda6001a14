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
    /** The longest pause between two signs of life of a member, whatever silence it allows itself: dead callers are found within four of them. */
    static final Duration BEAT_MAX = Duration.ofSeconds(5);

    private static final int BEATS_PER_SILENCE = 3;
    /** How long anything may take that a caller has only begun. */
    private static final Duration STRANGER_MAX = Duration.ofSeconds(10);

    private static final long TICKS_PER_TIMEOUT = 20;
    private static final long TICK_MILLIS_MIN = 5;
    private static final long TICK_MILLIS_MAX =
            10; // Else so many calls are late at once that those which are not wait for them.

    /** How long the server waits for a greeting: as long as for a reply, at most 10 s. Anybody can connect. */
    Duration greetingMax() {
        return replyTimeout.compareTo(STRANGER_MAX) < 0 ? replyTimeout : STRANGER_MAX;
    }

    /** How long a body may take whose frames have come in part, whatever its caller allows: as long as for a reply, at least 10 s. */
    Duration restMax() {
        return replyTimeout.compareTo(STRANGER_MAX) > 0 ? replyTimeout : STRANGER_MAX;
    }

    /** How often a caller gives a sign of life: three times in the longest silence, and every 5 s. */
    Duration beat() {
        Duration third = silenceMax.dividedBy(BEATS_PER_SILENCE);
        return third.compareTo(BEAT_MAX) < 0 ? third : BEAT_MAX;
    }

    /** After how many beats without a sign of the peer it is given up. */
    int silentBeatsMax() {
        return Math.toIntExact(silenceMax.dividedBy(beat()));
    }

    /** How often is looked for what is late: a twentieth of the reply time-out, 5 to 10 ms. */
    Duration tick() {
        return Duration.ofMillis(
                Math.clamp(replyTimeout.toMillis() / TICKS_PER_TIMEOUT, TICK_MILLIS_MIN, TICK_MILLIS_MAX));
    }
}
