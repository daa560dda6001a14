package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.quorum.JointQuorum;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaHealth;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Chooses the replicas of a request: the first {@code from} owners of its key. Any thread. */
public final class ReplicaPlans {
    private final Membership membership;
    private final Function<Member, ObservedReplica> replicas;
    private final ReadOrder order;
    private final HedgeDelay hedgeDelay;

    /** @param replicas the replica on a member */
    public ReplicaPlans(
            Membership membership, Function<Member, ObservedReplica> replicas, ReadOrder order, HedgeDelay hedgeDelay) {
        this.membership = membership;
        this.replicas = replicas;
        this.order = order;
        this.hedgeDelay = hedgeDelay;
    }

    /**
     * All at once, the nearest first. A breaker keeps nothing from a write, unless its replica is silent and others suffice: what a replica misses has to be brought to it later.
     *
     * @throws InvalidQuorumException if the cluster has shrunk below what is asked since that was checked
     */
    ReplicaPlan forWrite(Key key, AskedQuorum asked) {
        ClusterView view = membership.view();
        return forWrite(view, key, asked.checked(view));
    }

    private ReplicaPlan forWrite(ClusterView view, Key key, AskedQuorum asked) {
        Quorum quorum = asked.of(view);
        List<ObservedReplica> owners = owners(view, key, quorum);
        JointQuorum joint = view.others() == null ? null : join(view, key, quorum, asked.ofOthers(view), owners);
        for (int i = 1; i < owners.size(); i++) {
            if (owners.get(i).member().equals(view.self())) {
                Collections.swap(owners, 0, i);
            }
        }
        return new ReplicaPlan(owners, owners.size(), ReplicaPlan.NONE, quorum, view, joint, asked);
    }

    /** Adds the other owners, of whom a quorum is needed as well. Null where they are the same: as most are, in most changes. */
    private @Nullable JointQuorum join(
            ClusterView view, Key key, Quorum quorum, Quorum otherQuorum, List<ObservedReplica> owners) {
        List<Member> others = view.otherOwners(key, otherQuorum.from());
        List<String> ids = owners.stream().map(ObservedReplica::member).toList();
        List<String> otherIds = others.stream().map(Member::id).toList();
        if (ids.size() == otherIds.size() && ids.containsAll(otherIds)) {
            return null;
        }
        for (Member other : others) {
            if (!ids.contains(other.id())) {
                owners.add(replicas.apply(other));
            }
        }
        return new JointQuorum(quorum, ids, otherQuorum, otherIds);
    }

    /** A plan for the same by a newer epoch than that one; null if there is none, or it has no room for the quorum. */
    @Nullable
    ReplicaPlan renewForWrite(Key key, ReplicaPlan former) {
        ClusterView view = membership.view();
        return isRenewable(former, view) ? forWrite(view, key, former.asked()) : null;
    }

    /** As {@link #renewForWrite}. */
    @Nullable
    ReplicaPlan renewForRead(Key key, ReplicaPlan former, Breadth breadth, long now) {
        ClusterView view = membership.view();
        return isRenewable(former, view) ? forRead(view, key, former.asked(), breadth, now) : null;
    }

    private static boolean isRenewable(ReplicaPlan former, ClusterView view) {
        return view.epoch() > former.epoch() && former.asked().refusal(view).isEmpty();
    }

    /**
     * The best first.
     *
     * @throws InvalidQuorumException if the cluster has shrunk below what is asked since that was checked
     */
    ReplicaPlan forRead(Key key, AskedQuorum asked, Breadth breadth, long now) {
        ClusterView view = membership.view();
        return forRead(view, key, asked.checked(view), breadth, now);
    }

    private ReplicaPlan forRead(ClusterView view, Key key, AskedQuorum asked, Breadth breadth, long now) {
        Quorum quorum = asked.of(view);
        List<ObservedReplica> owners = owners(view, key, quorum);
        int trusted = order.arrange(owners, view, now);
        int atOnce = atOnce(breadth, owners, quorum.ack(), trusted, now);
        return bringsProbe(owners, atOnce, now)
                ? new ReplicaPlan(owners, atOnce + 1, atOnce, quorum, view, null, asked)
                : new ReplicaPlan(owners, atOnce, ReplicaPlan.NONE, quorum, view, null, asked);
    }

    /** That there are too few to count on fails no read: then others are asked. */
    private int atOnce(Breadth breadth, List<ObservedReplica> owners, int needed, int trusted, long now) {
        return switch (breadth) {
            case ALL -> Math.max(needed, trusted);
            case PROMPT -> bringForwardPrompt(owners, needed, trusted, now);
            case NEEDED -> needed;
        };
    }

    /**
     * Puts those behind the ones needed that usually answer while these are waited for, or as soon as these usually do, and those that have to
     * be measured again.
     *
     * @return how many those are, with the needed ones
     */
    private int bringForwardPrompt(List<ObservedReplica> owners, int needed, int trusted, long now) {
        long patience = 0;
        for (int i = 0; i < Math.min(needed, trusted); i++) {
            ReplicaHealth health = owners.get(i).health();
            patience = Math.max(patience, Math.max(hedgeDelay.on(health, now), (long) health.average(now)));
        }
        int prompt = needed;
        for (int i = needed; i < trusted; i++) {
            ReplicaHealth health = owners.get(i).health();
            if (health.average(now) <= patience || health.wantsMeasuring(now)) {
                owners.add(prompt++, owners.remove(i)); // The others keep their order.
            }
        }
        return prompt;
    }

    /** Puts one that is not trusted but may be again behind those needed: the read does not depend on it. */
    private static boolean bringsProbe(List<ObservedReplica> owners, int needed, long now) {
        for (int i = needed; i < owners.size(); i++) {
            if (owners.get(i).health().wantsProbe(now)) {
                owners.add(needed, owners.remove(i));
                return true;
            }
        }
        return false;
    }

    private List<ObservedReplica> owners(ClusterView view, Key key, Quorum quorum) {
        List<Member> owners = view.owners(key, quorum.from());
        List<ObservedReplica> found = new ArrayList<>(owners.size());
        for (Member owner : owners) {
            found.add(replicas.apply(owner));
        }
        return found;
    }
}
