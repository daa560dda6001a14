package dev.kvorum.node.hint;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaHealth;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Placement;
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

    /** Where the keys of an epoch will be, if they will be elsewhere. */
    private record Next(long epoch, @Nullable Placement placement) {
        static Next of(ClusterView view) {
            boolean changing =
                    view.topology().members().stream().anyMatch(member -> member.state() != MemberState.ACTIVE);
            return new Next(view.topology().epoch(), changing ? Placement.next(view.topology()) : null);
        }
    }

    private final Membership membership;
    private final Function<Member, ObservedReplica> replicas;
    private volatile @Nullable Next next;

    /** @param replicas the replica on a member */
    public HintRoutes(Membership membership, Function<Member, ObservedReplica> replicas) {
        this.membership = membership;
        this.replicas = replicas;
    }

    /**
     * Where a hint goes: to the member that it is for while that owns the key, or will own it when the running change of the topology is
     * final; else to all present owners, one of which has taken the member's place and may lack the cell.
     *
     * @param copies how many replicas the write asked for: no other is given the cell
     */
    List<ObservedReplica> targets(String member, Key key, int copies) {
        ClusterView view = membership.view();
        List<Member> owners = view.owners(key, copies);
        Member owner = named(member, owners);
        if (owner == null) {
            owner = named(member, nextOwners(view, key, copies));
        }
        if (owner != null) {
            return List.of(replicas.apply(owner));
        }
        List<ObservedReplica> all = new ArrayList<>(owners.size());
        owners.forEach(each -> all.add(replicas.apply(each)));
        return all;
    }

    /** None while no change is running: then they are the present ones. */
    private List<Member> nextOwners(ClusterView view, Key key, int copies) {
        Next known = next;
        if (known == null || known.epoch() != view.topology().epoch()) {
            known = Next.of(view);
            next = known;
        }
        Placement placement = known.placement();
        return placement == null ? List.of() : placement.owners(view.partitionOf(key), copies);
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
