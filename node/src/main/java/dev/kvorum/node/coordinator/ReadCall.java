package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** The call of a read to one replica. Its reply waits here until the {@link ReadCalls} take it; they alone touch what is not volatile. */
final class ReadCall implements CoreSubscriber<ReadReply> {
    final ObservedReplica replica;
    final boolean isHedge;
    boolean isTaken; // The reply or the error.
    boolean isHopedFor;
    private long overdueAt = Long.MAX_VALUE;

    private final ReadCalls calls;
    private volatile @Nullable Subscription subscription;
    private volatile boolean abandoned;
    private volatile @Nullable ReadReply reply;
    private volatile @Nullable Throwable bug;

    ReadCall(ReadCalls calls, ObservedReplica replica, boolean isHedge) {
        this.calls = calls;
        this.replica = replica;
        this.isHedge = isHedge;
    }

    /** When it is overdue, as long as it is hoped for; else never. */
    long expiry() {
        return isHopedFor && !isTaken ? overdueAt : Long.MAX_VALUE;
    }

    boolean isOverdue(long now) {
        return expiry() <= now;
    }

    /** From now on it is waited for as long as its replica's health tells, and no longer. */
    void await(Hedging hedging, long now) {
        overdueAt = now + hedging.delay().on(replica.health(), now);
    }

    /** Whether it has ended and was not taken yet. */
    boolean hasArrived() {
        return !isTaken && (reply != null || bug != null);
    }

    @Nullable
    ReadReply reply() {
        return reply;
    }

    /** The error that it ended in; a replica that breaks its promise to answer with a reply. */
    @Nullable
    Throwable bug() {
        return bug;
    }

    /** Asks the replica. It may reply at once. */
    void ask(Key key, long epoch, long waitNanos) {
        try {
            replica.read(key, epoch, waitNanos).subscribe(this);
        } catch (RuntimeException e) {
            onError(e);
        }
    }

    /** Its answer is not needed any more. */
    void cancel() {
        abandoned = true;
        Subscription call = subscription;
        if (call != null) {
            call.cancel();
        }
    }

    @Override
    public void onSubscribe(Subscription call) {
        subscription = call;
        // Either this sees that it is abandoned, or the thread that abandons it sees the subscription; cancelling twice
        // does no harm.
        if (abandoned) {
            call.cancel();
        } else {
            call.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(ReadReply reply) {
        this.reply = reply;
        calls.drain();
    }

    @Override
    public void onError(Throwable bug) {
        if (reply != null) {
            Operators.onErrorDropped(bug, Context.empty());
        } else {
            this.bug = bug;
            calls.drain();
        }
    }

    @Override
    public void onComplete() {
        if (reply == null && !abandoned) {
            onError(new IllegalStateException(replica.member() + " ended a call without a reply"));
        }
    }
}
