package dev.kvorum.node.coordinator;

import dev.kvorum.node.quorum.AckTally;
import dev.kvorum.node.quorum.JointQuorum;
import dev.kvorum.node.quorum.JointTally;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.quorum.Tally;
import dev.kvorum.node.replica.ObservedReplica;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replicas that one request asks, in the order in which it does.
 *
 * @param replicas as many as {@code quorum.from()}; more where a write is joint
 * @param first how many of them are asked at once, at least {@code quorum.ack()}
 * @param probe the index of one of these that is asked to see whether it can be counted on again, or {@link #NONE}
 * @param epoch that of the topology by which they were chosen: all calls of the request carry it
 * @param joint what a write needs while the replicas of its key change; null for all other requests
 * @param asked what that quorum was made of, by that epoch
 * @param renewals how often the request was planned before
 */
record ReplicaPlan(
        List<ObservedReplica> replicas,
        int first,
        int probe,
        Quorum quorum,
        long epoch,
        @Nullable JointQuorum joint,
        AskedQuorum asked,
        int renewals) {
    static final int NONE = -1;

    /** Counts the replies to a write. */
    Tally tally() {
        return joint == null ? new AckTally(quorum) : new JointTally(joint);
    }

    /** How many copies of a key a write asks for: of two quorums the greater number, for either must find room for its own. */
    int copies() {
        return joint == null
                ? quorum.from()
                : Math.max(quorum.from(), joint.otherQuorum().from());
    }
}
