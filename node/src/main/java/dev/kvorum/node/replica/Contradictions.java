package dev.kvorum.node.replica;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses calls of members that go by another topology of the same epoch. The two may name other owners for a key: what one acknowledges, the other would not find.
 *
 * <p>Any thread.
 */
public final class Contradictions {
    private static final Logger LOG = LoggerFactory.getLogger(Contradictions.class);
    private static final long BETWEEN_ERRORS = TimeUnit.SECONDS.toNanos(10);

    private final Membership membership;
    private final ReplicaMetrics metrics;
    private final LongSupplier nanos;
    private volatile long loggedAt;

    /** @param nanos nanoseconds from any origin, never back */
    public Contradictions(Membership membership, ReplicaMetrics metrics, LongSupplier nanos) {
        this.membership = membership;
        this.metrics = metrics;
        this.nanos = nanos;
        this.loggedAt = nanos.getAsLong() - BETWEEN_ERRORS;
    }

    /**
     * Why a call is refused; null if it does not contradict the topology in force.
     *
     * @param epoch that the caller goes by
     * @param digest of its topology; 0 where it does not say
     */
    @Nullable
    ReplicaFailure refusal(long epoch, long digest) {
        ClusterView view = membership.view();
        return epoch != view.epoch() || digest == 0 || digest == view.digest() ? null : refusal(view, digest);
    }

    private ReplicaFailure refusal(ClusterView view, long digest) {
        metrics.contradictingTopology();
        long now = nanos.getAsLong();
        if (now - loggedAt >= BETWEEN_ERRORS) { // Not for every call.
            loggedAt = now;
            LOG.error(
                    "Epoch {} has two contents: this node goes by {}, another member by {}. The two refuse each other's calls."
                            + " The command status says which member goes by which: publish epoch {} with the right members",
                    view.epoch(),
                    hex(view.digest()),
                    hex(digest),
                    view.epoch() + 1);
        }
        String detail = "epoch " + view.epoch() + " has two contents: it goes by " + hex(view.digest())
                + ", the caller by " + hex(digest);
        return new ReplicaFailure(view.self(), Reason.REFUSED, detail);
    }

    private static String hex(long digest) {
        return "%016x".formatted(digest);
    }
}
