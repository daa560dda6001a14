package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.quorum.Quorum;
import org.jspecify.annotations.Nullable;

/** How a read ended. */
public sealed interface ReadOutcome {
    /** {@code ack} replicas answered, and the newest of their cells is a value. */
    record Found(Cell cell, int acks, Quorum quorum) implements ReadOutcome {}

    /**
     * {@code ack} replicas answered, and none has a value.
     *
     * @param deleted the version of the tombstone or expired value that hides it, or null where there is none
     */
    record Absent(@Nullable Version deleted, int acks, Quorum quorum) implements ReadOutcome {}

    /** So many replicas failed that {@code ack} can't be reached. */
    record Unavailable(Shortfall shortfall) implements ReadOutcome {}

    /** The deadline passed with neither enough answers nor too many failures. */
    record TimedOut(Shortfall shortfall) implements ReadOutcome {}

    /** As {@link Unavailable}, but every failure was a refusal for lack of room. */
    record Rejected(Shortfall shortfall) implements ReadOutcome {}

    /** Which of the two it is. */
    static ReadOutcome outOfReach(Shortfall shortfall) {
        return shortfall.isOverload() ? new Rejected(shortfall) : new Unavailable(shortfall);
    }
}
