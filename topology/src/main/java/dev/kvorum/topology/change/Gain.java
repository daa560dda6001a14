package dev.kvorum.topology.change;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a partition a member is to hold more of after a change. At rank {@code r} of a partition, from 0, a member holds the cells that were written
 * with more copies than {@code r}.
 *
 * @param rank after the change
 * @param formerRank before it, greater; {@link #NONE} if it holds nothing
 */
public record Gain(int partition, int rank, int formerRank) {
    public static final int NONE = Integer.MAX_VALUE;

    /** What that member gains by the running change, in the order of partitions. */
    public static List<Gain> of(Topology topology, String member) {
        return of(Placement.current(topology), Placement.next(topology), member);
    }

    /** What that member gains if that is where the partitions are now and will be, in their order. */
    public static List<Gain> of(Placement current, Placement next, String member) {
        List<Gain> gains = new ArrayList<>();
        for (int partition = 0; partition < next.partitions(); partition++) {
            int rank = rank(next.order(partition), member);
            int former = rank(current.order(partition), member);
            if (rank < former) {
                gains.add(new Gain(partition, rank, former));
            }
        }
        return gains;
    }

    private static int rank(List<Member> order, String member) {
        for (int rank = 0; rank < order.size(); rank++) {
            if (order.get(rank).id().equals(member)) {
                return rank;
            }
        }
        return NONE;
    }

    /** Whether it comes to hold cells of so many copies, of which it holds none so far. */
    public boolean brings(int copies) {
        return rank < copies && formerRank >= copies;
    }
}
