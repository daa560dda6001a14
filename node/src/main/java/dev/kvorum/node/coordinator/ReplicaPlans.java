package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Chooses the replicas of a request: the first {@code from} owners of its key. Any thread. */
public final class ReplicaPlans {
    private final Membership membership;
    private final Function<Member, Replica> replicas;

    /** @param replicas the replica on a member */
    public ReplicaPlans(Membership membership, Function<Member, Replica> replicas) {
        this.membership = membership;
        this.replicas = replicas;
    }

    /** @throws InvalidQuorumException if the cluster has shrunk below {@code from} since the quorum was checked */
    ReplicaPlan plan(Key key, Quorum quorum) {
        ClusterView view = membership.view();
        List<Member> owners = view.owners(key, quorum.from());
        if (owners.size() < quorum.from()) {
            throw new InvalidQuorumException("from is " + quorum.from() + ", but the cluster now has " + owners.size()
                    + " members that hold data");
        }
        List<Replica> planned = new ArrayList<>(owners.size());
        int local = -1;
        for (Member owner : owners) {
            if (owner.id().equals(view.self())) {
                local = planned.size();
            }
            planned.add(replicas.apply(owner));
        }
        if (local > 0) {
            Collections.swap(planned, 0, local); // The nearest first: it has answered before the others are asked.
        }
        return new ReplicaPlan(planned, quorum);
    }
}
