package dev.kvorum.node.membership;

import dev.kvorum.node.cell.Key;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Partitioning;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.Gain;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One epoch of the cluster as this node sees it. Immutable.
 *
 * @param self the id of this node, which a later epoch may not name any more
 * @param zone the failure domain of this node; null where the topology does not name it
 * @param digest of the topology
 * @param placement the owners of each partition whom reads ask
 * @param others while a change is running: the owners of each partition that writes go to besides, before the change or after it
 */
public record ClusterView(
        String self,
        @Nullable String zone,
        Topology topology,
        long digest,
        Partitioning partitioning,
        Placement placement,
        @Nullable Placement others) {
    public static ClusterView of(String self, Topology topology) {
        return of(self, topology, owners -> Placement.of(owners, topology.partitions()));
    }

    /** The same node's view of another epoch, which takes over the placements that it shares with this one. */
    public ClusterView under(Topology other) {
        return of(self, other, owners -> known(owners, other.partitions()));
    }

    private Placement known(List<Member> owners, int partitions) {
        if (placement.isOf(owners, partitions)) {
            return placement;
        }
        return others != null && others.isOf(owners, partitions) ? others : Placement.of(owners, partitions);
    }

    private static ClusterView of(String self, Topology topology, Function<List<Member>, Placement> placements) {
        Placement current = placements.apply(topology.currentOwners());
        if (!topology.isChanging()) {
            return of(self, topology, current, null);
        }
        Placement next = placements.apply(topology.nextOwners());
        return topology.reads() == Reads.NEXT ? of(self, topology, next, current) : of(self, topology, current, next);
    }

    private static ClusterView of(String self, Topology topology, Placement placement, @Nullable Placement others) {
        String zone = topology.member(self).map(Member::zone).orElse(null);
        return new ClusterView(
                self, zone, topology, topology.digest(), new Partitioning(topology.partitions()), placement, others);
    }

    public long epoch() {
        return topology.epoch();
    }

    /** All members but this node. */
    public List<Member> peers() {
        return topology.members().stream()
                .filter(member -> !member.id().equals(self))
                .toList();
    }

    public int partitionOf(Key key) {
        return partitioning.partitionOf(key.utf8());
    }

    /** The first {@code from} owners of a key, whom reads ask. */
    public List<Member> owners(Key key, int from) {
        return placement.owners(partitionOf(key), from);
    }

    /** The first {@code from} of those owners of a key that writes go to besides; none while no change is running. */
    public List<Member> otherOwners(Key key, int from) {
        return others == null ? List.of() : others.owners(partitionOf(key), from);
    }

    /** How many members own data that is read: the most that {@code from} can be. */
    public int ownerCount() {
        return placement.size();
    }

    /** How many replicas are asked unless the request says otherwise: all owners while there are fewer than the factor. */
    public int fromDefault() {
        return Math.min(topology.replicationFactor(), ownerCount());
    }

    /** How many members own data that writes go to besides; 0 while no change is running. */
    public int otherCount() {
        return others == null ? 0 : others.size();
    }

    /** What {@link #fromDefault} is among them. */
    public int otherFromDefault() {
        return Math.min(topology.replicationFactor(), otherCount());
    }

    /** The owners of each partition before the running change, or now if there is none. */
    public Placement current() {
        return others != null && readsNext() ? others : placement;
    }

    /** What this node gains by the running change; nothing while there is none. */
    public List<Gain> gains() {
        if (others == null) {
            return List.of();
        }
        return readsNext() ? Gain.of(others, placement, self) : Gain.of(placement, others, self);
    }

    private boolean readsNext() {
        return topology.reads() == Reads.NEXT;
    }

    /** Whether nobody else may hold what this node holds of some partition: what it has lost can't be brought back. */
    public boolean isOnlyCopy() {
        return topology.replicationFactor() == 1
                || hasNoOther(topology.currentOwners())
                || hasNoOther(topology.nextOwners());
    }

    private boolean hasNoOther(List<Member> owners) {
        return owners.stream().allMatch(owner -> owner.id().equals(self));
    }

    /** Whether the topology still names this node. */
    public boolean hasSelf() {
        return topology.member(self).isPresent();
    }
}
