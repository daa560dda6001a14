package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.ReplicaFailure;
import org.jspecify.annotations.Nullable;

/** What a voter answers. */
sealed interface Vote {
    String member();

    /**
     * It serves no lower ballot from now on.
     *
     * @param accepted what it has accepted of the greatest ballot; null if nothing
     * @param newest the head of the newest cell that it has, without the value; null if it has none
     */
    record Promised(
            String member,
            @Nullable Proposal accepted,
            @Nullable Cell newest) implements Vote {}

    /** It has promised a greater ballot to another round. */
    record Outbid(String member, Version promised) implements Vote {}

    /** It has accepted the proposal, or has the cell. */
    record Done(String member) implements Vote {}

    /** The newest cell that it has. */
    record Answered(String member, @Nullable Cell newest) implements Vote {}

    /** It did not do what it was asked for, as far as anybody knows. */
    record Failed(ReplicaFailure failure) implements Vote {
        @Override
        public String member() {
            return failure.member();
        }
    }

    /** Whether it did. */
    default boolean isYes() {
        return !(this instanceof Failed) && !(this instanceof Outbid);
    }
}
