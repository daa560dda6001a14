package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;

/** The call of a read to one replica. */
final class ReadCall extends ReplicaCall<ReadReply> {
    final boolean isHedge;
    boolean isHopedFor;
    private long overdueAt = Long.MAX_VALUE;

    private volatile @Nullable Subscription subscription;
    private volatile boolean abandoned;

    ReadCall(ReadCalls calls, ObservedReplica replica, boolean isHedge) {
        super(calls, replica);
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
    boolean isAbandoned() {
        return abandoned;
    }
}
