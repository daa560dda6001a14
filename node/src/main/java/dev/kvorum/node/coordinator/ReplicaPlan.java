package dev.kvorum.node.coordinator;

import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ObservedReplica;
import java.util.List;

/**
 * The replicas that one request asks, in the order in which it does.
 *
 * @param replicas as many as {@code quorum.from()}
 * @param first how many of them are asked at once, at least {@code quorum.ack()}
 * @param probe the index of one of these that is asked to see whether it can be counted on again, or {@link #NONE}
 */
record ReplicaPlan(List<ObservedReplica> replicas, int first, int probe, Quorum quorum) {
    static final int NONE = -1;
}
