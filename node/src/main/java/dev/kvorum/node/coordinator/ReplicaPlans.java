package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Chooses the replicas of a request: the first {@code from} owners of its key. Any thread. */
public final class ReplicaPlans {
    private final Membership membership;
    private final Function<Member, ObservedReplica> replicas;
    private final ReadOrder order;

    /** @param replicas the replica on a member */
    public ReplicaPlans(Membership membership, Function<Member, ObservedReplica> replicas, ReadOrder order) {
        this.membership = membership;
        this.replicas = replicas;
        this.order = order;
    }

    /**
     * All at once, the nearest first. A breaker keeps nothing from a write: what a replica misses has to be brought to it later.
     *
     * @throws InvalidQuorumException if the cluster has shrunk below {@code from} since the quorum was checked
     */
    ReplicaPlan forWrite(Key key, Quorum quorum) {
        ClusterView view = membership.view();
        List<ObservedReplica> owners = owners(view, key, quorum);
        for (int i = 1; i < owners.size(); i++) {
            if (owners.get(i).member().equals(view.self())) {
                Collections.swap(owners, 0, i);
            }
        }
        return new ReplicaPlan(owners, quorum.from(), ReplicaPlan.NONE, quorum);
    }

    /**
     * The best first.
     *
     * @param all whether all are asked at once that can be counted on
     * @throws InvalidQuorumException if the cluster has shrunk below {@code from} since the quorum was checked
     */
    ReplicaPlan forRead(Key key, Quorum quorum, boolean all, long now) {
        ClusterView view = membership.view();
        List<ObservedReplica> owners = owners(view, key, quorum);
        int trusted = order.arrange(owners, view, now);
        // That there are too few to count on fails no read: then others are asked.
        int needed = all ? Math.max(trusted, quorum.ack()) : quorum.ack();
        return bringsProbe(owners, needed, now)
                ? new ReplicaPlan(owners, needed + 1, needed, quorum)
                : new ReplicaPlan(owners, needed, ReplicaPlan.NONE, quorum);
    }

    /** Puts one that is not trusted but may be again behind those needed: the read does not depend on it. */
    private static boolean bringsProbe(List<ObservedReplica> owners, int needed, long now) {
        for (int i = needed; i < owners.size(); i++) {
            if (owners.get(i).health().wantsProbe(now)) {
                Collections.swap(owners, needed, i);
                return true;
            }
        }
        return false;
    }

    /** Whether a member is one of the first so many owners of a key. */
    boolean isOwner(String member, Key key, int copies) {
        for (Member owner : membership.view().owners(key, copies)) {
            if (owner.id().equals(member)) {
                return true;
            }
        }
        return false;
    }

    private List<ObservedReplica> owners(ClusterView view, Key key, Quorum quorum) {
        List<Member> owners = view.owners(key, quorum.from());
        if (owners.size() < quorum.from()) {
            throw new InvalidQuorumException("from is " + quorum.from() + ", but the cluster now has " + owners.size()
                    + " members that hold data");
        }
        List<ObservedReplica> found = new ArrayList<>(owners.size());
        for (Member owner : owners) {
            found.add(replicas.apply(owner));
        }
        return found;
    }
}
