package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Version;
import dev.kvorum.node.coordinator.Shortfall;
import dev.kvorum.node.quorum.Quorum;
import org.jspecify.annotations.Nullable;

/** How a linearizable or conditional write ended. */
public sealed interface ChangeOutcome {
    /** It is done: a majority has it on the disk, and every linearizable operation from now on knows of it. */
    record Written(Version version, int acks, Quorum quorum) implements ChangeOutcome {}

    /**
     * Its condition did not hold. Nothing was written, and nothing will be.
     *
     * @param current the version of the value that there is; null if there is none
     */
    record ConditionFailed(@Nullable Version current, int acks, Quorum quorum) implements ChangeOutcome {}

    /** So many voters failed that there is no majority. */
    record Unavailable(Shortfall shortfall, Fate fate) implements ChangeOutcome {}

    /** The deadline passed: a majority is too slow, or too many others write the same key. */
    record TimedOut(Shortfall shortfall, Fate fate) implements ChangeOutcome {}

    /** As {@link Unavailable}, but every failure was a refusal for lack of room. */
    record Rejected(Shortfall shortfall, Fate fate) implements ChangeOutcome {}

    /** It was proposed, and others have written since; it can't be told any more whether it had been done before them. */
    record Overtaken(Shortfall shortfall) implements ChangeOutcome {}

    /** What became of a write that did not succeed. */
    enum Fate {
        /** Nothing was written, and nothing will be. */
        NOT_DONE,
        /** It may be done, or be yet. */
        UNKNOWN
    }
}
