package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.topology.Topology;

/** Topologies that are published while all else goes on: no faults, but they meet them. */
final class MembershipChanges {
    private MembershipChanges() {}

    /** The same members under the next epoch. */
    static Fault newEpoch(Cluster cluster) {
        return new Fault("a new epoch is published", () -> cluster.publish(next(cluster.topology())), () -> {});
    }

    private static Topology next(Topology topology) {
        return new Topology(
                topology.cluster(),
                topology.epoch() + 1,
                topology.replicationFactor(),
                topology.partitions(),
                topology.members());
    }
}
