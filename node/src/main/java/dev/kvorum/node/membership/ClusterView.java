package dev.kvorum.node.membership;

import dev.kvorum.node.cell.Key;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Partitioning;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One epoch of the cluster as this node sees it. Immutable.
 *
 * @param self the id of this node, which a later epoch may not name any more
 * @param zone the failure domain of this node; null where the topology does not name it
 * @param placement the present owners of each partition
 */
public record ClusterView(
        String self, @Nullable String zone, Topology topology, Partitioning partitioning, Placement placement) {
    public static ClusterView of(String self, Topology topology) {
        return new ClusterView(
                self,
                topology.member(self).map(Member::zone).orElse(null),
                topology,
                new Partitioning(topology.partitions()),
                Placement.current(topology));
    }

    public int partitionOf(Key key) {
        return partitioning.partitionOf(key.utf8());
    }

    /** The first {@code from} owners of a key. */
    public List<Member> owners(Key key, int from) {
        return placement.owners(partitionOf(key), from);
    }

    /** How many members own data: the most that {@code from} can be. */
    public int ownerCount() {
        return topology.currentOwners().size();
    }

    /** How many replicas are asked unless the request says otherwise: all owners while there are fewer than the factor. */
    public int fromDefault() {
        return Math.min(topology.replicationFactor(), ownerCount());
    }

    /** Whether the topology still names this node. */
    public boolean hasSelf() {
        return topology.member(self).isPresent();
    }
}
