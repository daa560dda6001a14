package dev.kvorum.node.membership;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topology in force on this node. Epochs only rise; what can't follow the present topology is refused with the reason in
 * the log, and the present one stays in force.
 *
 * <p>{@link #view} may be called by any thread and costs a volatile read.
 */
public final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    private final List<Consumer<ClusterView>> followers = new CopyOnWriteArrayList<>();
    private volatile ClusterView view;
    private String lastRefusal = "";

    public Membership(String self, Topology first) {
        this.view = ClusterView.of(self, first);
    }

    /** The view in force. */
    public ClusterView view() {
        return view;
    }

    /** Tells the follower the view in force, and each later one before it is. */
    public synchronized void follow(Consumer<ClusterView> follower) {
        followers.add(follower);
        follower.accept(view);
    }

    /** Takes over a topology of a higher epoch; any other is ignored, with a warning where it is not the present one. */
    public synchronized void offer(Topology offered) {
        Topology present = view.topology();
        if (offered.equals(present) || !canFollow(present, offered)) {
            return;
        }
        ClusterView next = ClusterView.of(view.self(), offered);
        followers.forEach(follower -> follower.accept(next)); // First the replicas, then the plans that name them.
        ClusterView former = view;
        view = next;
        LOG.info(
                "Epoch {} is in force: {} members",
                offered.epoch(),
                offered.members().size());
        warnOfUnmovedData(former, next);
        if (!next.hasSelf()) {
            LOG.warn(
                    "Epoch {} does not name {} any more: it owns no data and passes requests on",
                    offered.epoch(),
                    next.self());
        }
    }

    private boolean canFollow(Topology present, Topology offered) {
        String refusal = refusal(present, offered);
        if (!refusal.isEmpty() && !refusal.equals(lastRefusal)) { // Once: whoever offers it may do so again and again.
            LOG.warn("Ignored a topology {}", refusal);
        }
        lastRefusal = refusal;
        return refusal.isEmpty();
    }

    private static String refusal(Topology present, Topology offered) {
        if (offered.epoch() < present.epoch()) {
            return "of epoch " + offered.epoch() + ": epoch " + present.epoch() + " is in force";
        }
        if (offered.epoch() == present.epoch()) {
            return "that differs from the one in force but has its epoch " + present.epoch() + ": raise the epoch";
        }
        if (!Objects.equals(offered.cluster(), present.cluster())) {
            return "of cluster \"" + offered.cluster() + "\": this is cluster \"" + present.cluster() + "\"";
        }
        if (offered.partitions() != present.partitions()) {
            return "of " + offered.partitions() + " partitions: this cluster has " + present.partitions()
                    + ", for life";
        }
        return "";
    }

    private static void warnOfUnmovedData(ClusterView former, ClusterView next) {
        int from = Math.min(former.fromDefault(), next.fromDefault());
        int changed = 0;
        for (int partition = 0; partition < next.topology().partitions(); partition++) {
            List<Member> before = former.placement().owners(partition, from);
            if (!ids(before).containsAll(ids(next.placement().owners(partition, from)))) {
                changed++;
            }
        }
        if (changed > 0) {
            LOG.warn(
                    "Epoch {} gives {} of {} partitions an owner that does not hold their data yet, and this version moves none: reads may"
                            + " miss what was written before",
                    next.topology().epoch(),
                    changed,
                    next.topology().partitions());
        }
    }

    private static Set<String> ids(List<Member> members) {
        return members.stream().map(Member::id).collect(Collectors.toSet());
    }
}
