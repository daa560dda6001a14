package dev.kvorum.node.membership;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;

/**
 * The time in which a member takes part without a break. What it has accepted in rounds of consensus before a break was decided without it. The members that know how may be gone
 * when it comes back, so it must not bring that up again.
 */
public final class Tenure {
    private Tenure() {}

    /**
     * Whether a member that has followed one topology, and then another, was removed in between or is now. A member that is down while it is removed, and is added again,
     * sees nothing in between: it had data of its own before, and is to pull it now.
     */
    public static boolean isBroken(Topology before, Topology after, String member) {
        MemberState was = before.member(member).map(Member::state).orElse(null);
        if (was == null) {
            return false;
        }
        MemberState is = after.member(member).map(Member::state).orElse(null);
        return is == null || (was.ownsNow() && !is.ownsNow());
    }
}
