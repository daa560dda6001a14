package dev.kvorum.simulation.node;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.Collection;
import java.util.List;

/**
 * The room that a change of the members needs on disks, by the promise of the documentation: half more than what moves, and 256 MiB. It knows nothing of the plan
 * that it judges.
 */
final class DiskRoom {
    /** What each byte on a simulated disk stands for: a run writes a few kilobytes, next to which 256 MiB would be all that counts. */
    static final long UNIT = 1L << 20;

    private static final long HEADROOM = 256L << 20;

    private final Topology begun;
    private final Placement current;
    private final Placement next;
    private final Collection<PartitionSizes> sizes;

    /**
     * @param begun the topology that begins the change
     * @param sizes what those hold who take part
     */
    DiskRoom(Topology begun, Collection<PartitionSizes> sizes) {
        this.begun = begun;
        this.current = Placement.current(begun);
        this.next = Placement.next(begun);
        this.sizes = List.copyOf(sizes);
    }

    /** Those who come to own a partition. */
    List<Member> gaining() {
        return begun.nextOwners().stream().filter(this::gains).toList();
    }

    /** Bytes that have to be free on the disk of such a member. */
    long needed(Member member) {
        long bytes = 0;
        for (int partition = 0; partition < begun.partitions(); partition++) {
            bytes += gains(member, partition) ? largest(partition) : 0;
        }
        return bytes + bytes / 2 + HEADROOM;
    }

    private boolean gains(Member member) {
        for (int partition = 0; partition < begun.partitions(); partition++) {
            if (gains(member, partition)) {
                return true;
            }
        }
        return false;
    }

    private boolean gains(Member member, int partition) {
        return owns(next, member, partition) && !owns(current, member, partition);
    }

    private boolean owns(Placement placement, Member member, int partition) {
        return placement.owners(partition, begun.replicationFactor()).stream()
                .anyMatch(owner -> owner.id().equals(member.id()));
    }

    private long largest(int partition) {
        return sizes.stream().mapToLong(size -> size.of(partition)).max().orElse(0);
    }
}
