package dev.kvorum.node.transfer;

import dev.kvorum.node.copy.Setback;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.change.MemberReport.Former;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Drops what this node need not hold any more, while no change of the members is running: one partition after the other, each when all who own it have been
 * given what they lacked of it. What it has not come to is found again after a restart or under the next epoch, as it looks at all partitions of which it
 * holds no default copy.
 *
 * <p>Not later than the grace period of deletions after the last change: what is given by then can't have been deleted and forgotten meanwhile. What is left after that is let be,
 * and said so. Any thread.
 */
final class FormerPartitions {
    private static final Logger LOG = LoggerFactory.getLogger(FormerPartitions.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2); // After one that could not be dropped.

    private final TransferParts parts;
    private final TransferMetrics metrics;
    private final Runnable whenDropped;
    private final Deque<FormerPartition> pending = new ArrayDeque<>();
    private final Disposable.Swap loop = Disposables.swap();
    private long since;
    private int dropped;
    private String failure = "";
    private boolean closed;

    /** @param dropped told when nothing is left */
    FormerPartitions(TransferParts parts, TransferMetrics metrics, Runnable dropped) {
        this.parts = parts;
        this.metrics = metrics;
        this.whenDropped = dropped;
    }

    /**
     * An epoch comes into force, or is in force at the start.
     *
     * @param stableSince when that change ended, in milliseconds since 1970
     * @param changed whether members have changed since nothing was left the last time: if not, what this node need not hold is what it was told instead of
     *     something older that it has to hold
     */
    void become(ClusterView view, long stableSince, boolean changed) {
        synchronized (this) {
            pending.clear();
            failure = "";
            since = stableSince;
            if (changed && !view.topology().isChanging() && !closed) {
                addAll(view);
            }
        }
        loop.update(whenInForce(view)
                .thenMany(Mono.defer(this::step).repeat(this::goesOn))
                .subscribe());
    }

    private void addAll(ClusterView view) {
        for (int partition = 0; partition < view.topology().partitions(); partition++) {
            int rank = rank(view, partition);
            if (rank < 0 || rank >= view.fromDefault()) {
                pending.add(new FormerPartition(parts, view.epoch(), partition, rank));
            }
        }
    }

    private static int rank(ClusterView view, int partition) {
        List<Member> order = view.placement().order(partition);
        for (int rank = 0; rank < order.size(); rank++) {
            if (order.get(rank).id().equals(view.self())) {
                return rank;
            }
        }
        return -1;
    }

    /** Followers hear of an epoch before it is in force. */
    private Mono<Void> whenInForce(ClusterView view) {
        return Mono.defer(() -> parts.deadlines().after(TimeUnit.MILLISECONDS.toNanos(20)))
                .repeat(() -> parts.membership().view().epoch() < view.epoch())
                .then();
    }

    private synchronized boolean goesOn() {
        return !closed && !pending.isEmpty();
    }

    private Mono<Void> step() {
        FormerPartition next;
        synchronized (this) {
            next = pending.peek();
        }
        if (next == null) {
            return Mono.empty();
        }
        return next.isHeld()
                .flatMap(held -> held ? drop(next) : Mono.just(true))
                .flatMap(
                        done -> done ? Mono.fromRunnable(() -> done(next)) : later(next, "it was written to meanwhile"))
                .onErrorResume(e -> later(next, Setback.inWords(next.partition(), e)));
    }

    private Mono<Boolean> drop(FormerPartition next) {
        if (parts.age().isBeyondGrace(since)) {
            LOG.warn(
                    "Partition {} is held though it need not be, and stays: it could not be given to its owners within the grace period of"
                            + " deletions. Remove this member and add it again as an empty one",
                    next.partition());
            return Mono.just(true);
        }
        return next.drop().doOnNext(all -> {
            if (all) {
                counted();
            }
        });
    }

    private synchronized void counted() {
        dropped++;
        metrics.dropped();
    }

    private void done(FormerPartition partition) {
        boolean last;
        synchronized (this) {
            last = pending.remove(partition) && pending.isEmpty();
            failure = "";
        }
        if (last) {
            whenDropped.run();
        }
    }

    private Mono<Void> later(FormerPartition partition, String why) {
        synchronized (this) {
            failure = "partition " + partition.partition() + ": " + why;
            if (pending.remove(partition)) {
                pending.add(partition); // Others may do better.
            }
            metrics.failed();
        }
        return parts.deadlines().after(PAUSE_NANOS);
    }

    synchronized Former report() {
        return new Former(pending.size(), dropped, failure);
    }

    synchronized int left() {
        return pending.size();
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
        loop.dispose();
    }
}
