package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.quorum.AckTally;
import dev.kvorum.node.quorum.JointQuorum;
import dev.kvorum.node.quorum.JointTally;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.quorum.Tally;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.topology.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replicas that one request asks, in the order in which it does.
 *
 * @param replicas as many as {@code quorum.from()}; more where a write is joint
 * @param first how many of them are asked at once, at least {@code quorum.ack()}
 * @param probe the index of one of these that is asked to see whether it can be counted on again, or {@link #NONE}
 * @param view that by which they were chosen: all calls of the request carry its epoch
 * @param joint what a write needs while the replicas of its key change; null for all other requests
 * @param asked what that quorum was made of, by that epoch
 */
record ReplicaPlan(
        List<ObservedReplica> replicas,
        int first,
        int probe,
        Quorum quorum,
        ClusterView view,
        @Nullable JointQuorum joint,
        AskedQuorum asked) {
    static final int NONE = -1;

    /** Counts the replies to a write. */
    Tally tally() {
        return joint == null ? new AckTally(quorum) : new JointTally(joint);
    }

    long epoch() {
        return view.epoch();
    }

    /** How many copies of a key a write asks for. */
    int copies() {
        return asked.copies(view);
    }

    /** Whether a member is to have a cell of which so many copies were asked for: a key gets no more than that. */
    boolean isOwner(String member, Key key, int copies) {
        for (Member owner : view.owners(key, copies)) {
            if (owner.id().equals(member)) {
                return true;
            }
        }
        return false;
    }
}
