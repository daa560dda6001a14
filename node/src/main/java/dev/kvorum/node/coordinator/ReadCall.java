package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** The part of a read that one replica is asked for. What the request sees is guarded by its lock. */
final class ReadCall implements CoreSubscriber<ReadReply> {
    final ObservedReplica replica;
    final boolean isHedge;
    boolean isAnswered;
    boolean isHopedFor;

    @Nullable
    ReadReply reply; // That which counts.

    private long overdueAt = Long.MAX_VALUE;
    private final ReadRequest request;
    private volatile @Nullable Subscription subscription;
    private volatile boolean abandoned;
    private boolean replied; // Signals come one after the other.

    ReadCall(ReadRequest request, ObservedReplica replica, boolean isHedge) {
        this.request = request;
        this.replica = replica;
        this.isHedge = isHedge;
    }

    /** When it is overdue, as long as it is hoped for; else never. */
    long expiry() {
        return isHopedFor && !isAnswered ? overdueAt : Long.MAX_VALUE;
    }

    boolean isOverdue(long now) {
        return expiry() <= now;
    }

    /** Whether its replica has answered that it has nothing as new as that cell. */
    boolean isBehind(Cell newest) {
        return switch (reply) {
            case ReadReply.Found found -> newest.isNewerThan(found.cell());
            case ReadReply.Absent absent -> true;
            case ReplicaFailure failure -> false;
            case null -> false;
        };
    }

    boolean hasSucceeded() {
        return isAnswered && !(reply instanceof ReplicaFailure);
    }

    /** From now on it is waited for as long as its replica's health tells, and no longer. */
    void await(Hedging hedging, long now) {
        overdueAt = now + hedging.delay().on(replica.health(), now);
    }

    /** Asks the replica. Not under the lock: it may reply at once. */
    void ask(Key key, long epoch, long waitNanos) {
        try {
            replica.read(key, epoch, waitNanos).subscribe(this);
        } catch (RuntimeException e) {
            request.broken(this, e);
        }
    }

    /** Its answer is not needed any more. Not under the lock. */
    void abandon(boolean cancels, ReadMetrics metrics) {
        if (isHedge) {
            metrics.hedgeEnded(false);
        }
        if (cancels) {
            abandoned = true;
            Subscription call = subscription;
            if (call != null) {
                call.cancel();
            }
        }
    }

    @Override
    public void onSubscribe(Subscription call) {
        subscription = call;
        // Either this sees that it is abandoned, or who abandons it sees the subscription; cancelling twice does no
        // harm.
        if (abandoned) {
            call.cancel();
        } else {
            call.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(ReadReply reply) {
        replied = true;
        request.replied(this, reply);
    }

    @Override
    public void onError(Throwable e) {
        request.broken(this, e);
    }

    @Override
    public void onComplete() {
        if (!replied && !abandoned) {
            request.broken(this, new IllegalStateException(replica.member() + " ended a call without a reply"));
        }
    }
}
