package dev.kvorum.node.membership;

import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topology in force on this node. Epochs only rise; what can't follow the present topology is refused with the reason in
 * the log, and the present one stays in force.
 *
 * <p>{@link #view} may be called by any thread and costs a volatile read.
 */
public final class Membership {
    /**
     * How many epochs a node may have missed: more than in many years. One that is further ahead is made up, or was counted in something else, and adopted it
     * would leave no room for those to come.
     */
    public static final long EPOCHS_MISSED_MAX = 1_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    private final List<Consumer<ClusterView>> followers = new CopyOnWriteArrayList<>();
    private volatile ClusterView view;
    private volatile ClusterView former; // What was in force before: calls that were planned by it are still made.
    private String lastRefusal = "";

    public Membership(String self, Topology first) {
        this.view = ClusterView.of(self, first);
        this.former = view;
    }

    /** The view in force. */
    public ClusterView view() {
        return view;
    }

    /** The digest of the topology of that epoch, which is the one in force or the one before it; 0 of any other. */
    public long digestOf(long epoch) {
        ClusterView present = view;
        if (epoch == present.epoch()) {
            return present.digest();
        }
        ClusterView before = former;
        return epoch == before.epoch() ? before.digest() : 0;
    }

    /** Tells the follower the view in force, and each later one before it is. */
    public synchronized void follow(Consumer<ClusterView> follower) {
        followers.add(follower);
        follower.accept(view);
    }

    /**
     * Takes over a topology of a higher epoch, at most {@link #EPOCHS_MISSED_MAX} above the present one. Any other is ignored, with a warning where it is not
     * the present one.
     */
    public synchronized void offer(Topology offered) {
        long missed = offered.epoch() - view.epoch();
        if (missed <= EPOCHS_MISSED_MAX) {
            goOnBy(offered);
        } else {
            warnOnce("of epoch " + offered.epoch() + ": it must be at most " + EPOCHS_MISSED_MAX
                    + " above that in force, " + view.epoch() + ", as epochs count changes one by one");
        }
    }

    /** The same of one that this node has gone by already: it may be any number of epochs ahead. */
    public synchronized void goOnBy(Topology offered) {
        Topology present = view.topology();
        if (offered.equals(present) || !canFollow(present, offered)) {
            return;
        }
        ClusterView next = view.under(offered);
        followers.forEach(follower -> follower.accept(next)); // First the replicas, then the plans that name them.
        former = view;
        view = next;
        LOG.info(
                "Epoch {} is in force: {} members",
                offered.epoch(),
                offered.members().size());
        warnOfUnmovedData(present, next.topology());
        if (!next.hasSelf()) {
            LOG.warn(
                    "Epoch {} does not name {} any more: it owns no data and passes requests on",
                    offered.epoch(),
                    next.self());
        }
    }

    /**
     * Takes over a topology that somebody publishes, and whoever publishes it has to be told why if it can't be: the next step of a change alone. One that is in
     * force already is taken over. What this node has missed it is {@linkplain #offer offered}.
     *
     * @return why not, in words; empty if it is in force
     */
    public synchronized Optional<String> propose(Topology proposed) {
        Topology present = view.topology();
        if (proposed.equals(present)) {
            return Optional.empty();
        }
        String refusal = refusal(present, proposed);
        if (refusal.isEmpty() && proposed.epoch() - present.epoch() > 1) {
            refusal = "of epoch " + proposed.epoch() + ": this node goes by epoch " + present.epoch() + ", so only "
                    + (present.epoch() + 1) + " can be published; offer it those that it has missed";
        }
        if (refusal.isEmpty()) {
            refusal = Succession.refusal(present, proposed).orElse("");
        }
        if (refusal.isEmpty()) {
            offer(proposed);
        }
        return refusal.isEmpty() ? Optional.empty() : Optional.of(refusal);
    }

    /**
     * Does something if that epoch is in force, and sees to it that it stays so meanwhile: it should not take long.
     *
     * @return what it returned; false if another is in force
     */
    public synchronized boolean within(long epoch, BooleanSupplier work) {
        return view.epoch() == epoch && work.getAsBoolean();
    }

    private boolean canFollow(Topology present, Topology offered) {
        String refusal = refusal(present, offered);
        warnOnce(refusal);
        return refusal.isEmpty();
    }

    /** Whoever offers it may do so again and again. */
    private void warnOnce(String refusal) {
        if (!refusal.isEmpty() && !refusal.equals(lastRefusal)) {
            LOG.warn("Ignored a topology {}", refusal);
        }
        lastRefusal = refusal;
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
        if (offered.replicationFactor() != present.replicationFactor()) {
            // A majority of three owners and one of five need not meet: the latter would not know what the former have
            // agreed on.
            return "of replicationFactor " + offered.replicationFactor() + ": this cluster has "
                    + present.replicationFactor() + ", for life";
        }
        return "";
    }

    /** What was published without asking may leave out the steps by which data is moved. One that has missed epochs can't tell. */
    private static void warnOfUnmovedData(Topology former, Topology next) {
        if (next.epoch() == former.epoch() + 1) {
            Succession.refusal(former, next)
                    .ifPresent(why -> LOG.warn(
                            "Epoch {} is no step from epoch {}: {}. Where partitions have other owners now, reads may miss what was written"
                                    + " before until it is repaired",
                            next.epoch(),
                            former.epoch(),
                            why));
        }
    }
}
