package dev.kvorum.node.repair;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Placement;
import java.util.List;

/** At which place a member stands among those of a partition, from 0: it owes the cells that were written with more copies than that. */
public final class Ranks {
    /**
     * How many of the first owners of a partition can verify it. Whoever compares its copy with all others sees what it owes itself: the first owes every cell, and
     * the second all that there is to compare, as what has one copy is the first's alone; where another holds such a cell besides, the second drops nothing. The
     * third would not see where those two differ in a cell of two copies.
     */
    static final int VERIFYING = 2;

    private Ranks() {}

    /** Its place now, or -1 if it owns no data under this epoch. */
    static int now(ClusterView view, int partition, String member) {
        return in(view.placement(), partition, member);
    }

    /** The better of its places before and after the running change; -1 if it has neither. */
    public static int nowOrNext(ClusterView view, int partition, String member) {
        int now = now(view, partition, member);
        Placement others = view.others();
        if (others == null) {
            return now;
        }
        int other = in(others, partition, member);
        return now < 0 || other < 0 ? Math.max(now, other) : Math.min(now, other);
    }

    /** Whether no change of the members is under way. */
    static boolean isStable(ClusterView view) {
        return view.topology().currentOwners().equals(view.topology().nextOwners());
    }

    private static int in(Placement placement, int partition, String member) {
        List<Member> order = placement.order(partition);
        for (int rank = 0; rank < order.size(); rank++) {
            if (order.get(rank).id().equals(member)) {
                return rank;
            }
        }
        return -1;
    }
}
