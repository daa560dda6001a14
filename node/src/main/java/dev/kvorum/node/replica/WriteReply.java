package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.ReplicaFailure.Reason;

/** What a replica answers to a write. */
public sealed interface WriteReply permits WriteReply.Stored, WriteReply.Below, ReplicaFailure {
    /** Who answered. */
    String member();

    /** The replica has this cell or a newer one. */
    record Stored(String member) implements WriteReply {}

    /**
     * The replica has not taken a fresh write: it may have acknowledged a newer one before that began. Stamped above the floor, the write can be sent again.
     *
     * @param floor the newest version that it has acknowledged among the keys of the same stripe
     */
    record Below(String member, Version floor) implements WriteReply {
        /** The same as a failure, for those that do not send it again. */
        public ReplicaFailure asFailure() {
            return new ReplicaFailure(
                    member, Reason.REFUSED, "it may have acknowledged a newer write, of version " + floor);
        }
    }
}
