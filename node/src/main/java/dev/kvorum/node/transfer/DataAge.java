package dev.kvorum.node.transfer;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How old this node's data may be before it could bring back deleted values. Times are milliseconds since 1970.
 *
 * @param wallMillis the present
 * @param lastMember when this node knew itself for a member before its present life: where it has missed epochs, nothing later is certain
 * @param grace how long members keep deletions at least
 */
public record DataAge(LongSupplier wallMillis, LongSupplier lastMember, Duration grace) {
    /** Whether a deletion since that time may be forgotten by now. */
    boolean isBeyondGrace(long since) {
        return Duration.ofMillis(wallMillis.getAsLong() - since).compareTo(grace) > 0;
    }

    /** When the members changed last, as far as this node knows. */
    long lastChange(boolean missedNone) {
        return missedNone ? wallMillis.getAsLong() : lastMember.getAsLong();
    }
}
