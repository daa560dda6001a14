package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Chooses the replicas of a request: the first {@code from} owners of its key. Any thread. */
public final class ReplicaPlans {
    private final Membership membership;
    private final Replicas replicas;

    public ReplicaPlans(Membership membership, Replicas replicas) {
        this.membership = membership;
        this.replicas = replicas;
    }

    ReplicaPlan plan(Key key, Quorum quorum) {
        ClusterView view = membership.view();
        List<Member> owners = view.owners(key, quorum.from());
        List<Replica> planned = new ArrayList<>(owners.size());
        int local = -1;
        for (Member owner : owners) {
            if (owner.id().equals(view.self())) {
                local = planned.size();
            }
            planned.add(replicas.on(owner));
        }
        if (local > 0) {
            Collections.swap(planned, 0, local); // The nearest first: it has answered before the others are asked.
        }
        return new ReplicaPlan(planned, quorum);
    }
}
