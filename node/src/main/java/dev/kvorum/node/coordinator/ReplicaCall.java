package dev.kvorum.node.coordinator;

import dev.kvorum.node.replica.ObservedReplica;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A call to one replica. Its reply waits here until the calls of the request take it; they alone touch what is not volatile. */
abstract class ReplicaCall<R> implements CoreSubscriber<R> {
    final ObservedReplica replica;
    final Draining calls;
    boolean isTaken; // The reply or the error.

    private volatile @Nullable R reply;
    private volatile @Nullable Throwable bug;

    ReplicaCall(Draining calls, ObservedReplica replica) {
        this.calls = calls;
        this.replica = replica;
    }

    /** Whether it has ended and was not taken yet. */
    final boolean hasArrived() {
        return !isTaken && (reply != null || bug != null);
    }

    final @Nullable R reply() {
        return reply;
    }

    /** The error that it ended in: the replica has broken its promise to answer with a reply. */
    final @Nullable Throwable bug() {
        return bug;
    }

    /** Whether its reply is not needed any more: then it may end without one. */
    boolean isAbandoned() {
        return false;
    }

    @Override
    public final void onNext(R reply) {
        this.reply = reply;
        calls.drain();
    }

    @Override
    public final void onError(Throwable bug) {
        if (reply != null) {
            Operators.onErrorDropped(bug, Context.empty());
        } else {
            this.bug = bug;
            calls.drain();
        }
    }

    @Override
    public final void onComplete() {
        if (reply == null && !isAbandoned()) {
            onError(new IllegalStateException(replica.member() + " ended a call without a reply"));
        }
    }
}
