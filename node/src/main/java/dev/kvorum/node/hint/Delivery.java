package dev.kvorum.node.hint;

import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import dev.kvorum.node.storage.StoredHint;
import java.util.List;

/**
 * What came of bringing one hint to its targets.
 *
 * @param hint which
 * @param rerouted whether they were others than the member that it was for
 * @param end how it ended
 */
record Delivery(StoredHint hint, boolean rerouted, End end) {
    /** How it ended. */
    enum End {
        /** All targets have the cell, or a newer one. */
        TAKEN,
        /** A target understood it and does not take it: the same may be so next time, and says nothing of others. */
        REFUSED,
        /** A target did not answer, or could not take it. */
        FAILED
    }

    /** The worst of the replies counts. */
    static Delivery of(StoredHint hint, boolean rerouted, List<WriteReply> replies) {
        End end = End.TAKEN;
        for (WriteReply reply : replies) {
            End one = switch (reply) {
                case WriteReply.Stored stored -> End.TAKEN;
                case WriteReply.Below below -> End.REFUSED;
                case ReplicaFailure failure -> failure.reason() == Reason.REFUSED ? End.REFUSED : End.FAILED;
            };
            end = one.compareTo(end) > 0 ? one : end;
        }
        return new Delivery(hint, rerouted, end);
    }
}
