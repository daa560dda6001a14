package dev.kvorum.node.coordinator;

import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.Replica;
import java.util.List;

/**
 * The replicas that one request asks.
 *
 * @param replicas as many as {@code quorum.from()}, this node's own first where it is one of them
 */
record ReplicaPlan(List<Replica> replicas, Quorum quorum) {}
