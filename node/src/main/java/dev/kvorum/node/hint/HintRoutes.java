package dev.kvorum.node.hint;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaHealth;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** To whom hints are brought under the topology in force. Any thread. */
public final class HintRoutes {
    /** Whether hints can be brought to a member. */
    enum Readiness {
        /** It answers, as far as is known. */
        READY,
        /** It is not trusted; one call may find out whether it can be again. */
        PROBE,
        /** It is not trusted. */
        ABSENT
    }

    /**
     * To whom a hint goes.
     *
     * @param epoch of the topology that says so
     */
    record Route(List<ObservedReplica> replicas, long epoch) {}

    private final Membership membership;
    private final Function<Member, ObservedReplica> replicas;

    /** @param replicas the replica on a member */
    public HintRoutes(Membership membership, Function<Member, ObservedReplica> replicas) {
        this.membership = membership;
        this.replicas = replicas;
    }

    /**
     * Where a hint goes: to the member that it is for while that owns the key, before or after a running change of the topology; else to all owners,
     * one of which has taken the member's place and may lack the cell.
     *
     * @param copies how many replicas the write asked for: no other is given the cell
     */
    Route route(String member, Key key, int copies) {
        ClusterView view = membership.view();
        List<Member> owners = view.owners(key, copies);
        List<Member> others = view.otherOwners(key, copies);
        Member owner = named(member, owners);
        if (owner == null) {
            owner = named(member, others);
        }
        if (owner != null) {
            return new Route(List.of(replicas.apply(owner)), view.epoch());
        }
        List<ObservedReplica> all = new ArrayList<>(owners.size());
        owners.forEach(each -> all.add(replicas.apply(each)));
        for (Member other : others) {
            if (named(other.id(), owners) == null) {
                all.add(replicas.apply(other));
            }
        }
        return new Route(all, view.epoch());
    }

    private static @Nullable Member named(String id, List<Member> members) {
        for (Member member : members) {
            if (member.id().equals(id)) {
                return member;
            }
        }
        return null;
    }

    /** Whether hints for a member can be brought now. One that the topology does not name any more is not asked: others get its hints. */
    Readiness readiness(String member, long now) {
        Member present = membership.view().topology().member(member).orElse(null);
        if (present == null) {
            return Readiness.READY;
        }
        ReplicaHealth health = replicas.apply(present).health();
        if (health.isTrusted(now)) {
            return Readiness.READY;
        }
        return health.wantsProbe(now) ? Readiness.PROBE : Readiness.ABSENT;
    }

    /** The members of the topology in force. */
    List<Member> members() {
        return membership.view().topology().members();
    }
}
