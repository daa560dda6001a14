package dev.kvorum.node.coordinator;

import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.WriteReply;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** The call of a write to one replica. Its reply waits here until the {@link WriteCalls} take it; they alone touch what is not volatile. */
final class WriteCall implements CoreSubscriber<WriteReply> {
    final ObservedReplica replica;
    boolean isTaken; // The reply or the error.

    private final WriteCalls calls;
    private volatile @Nullable WriteReply reply;
    private volatile @Nullable Throwable bug;

    WriteCall(WriteCalls calls, ObservedReplica replica) {
        this.calls = calls;
        this.replica = replica;
    }

    /** Whether it has ended and was not taken yet. */
    boolean hasArrived() {
        return !isTaken && (reply != null || bug != null);
    }

    @Nullable
    WriteReply reply() {
        return reply;
    }

    /** The error that it ended in: the replica has broken its promise to answer with a reply. */
    @Nullable
    Throwable bug() {
        return bug;
    }

    /** Calls the replica. It may reply at once. */
    void send(Function<ObservedReplica, Mono<WriteReply>> call) {
        try {
            call.apply(replica).subscribe(this);
        } catch (RuntimeException e) {
            onError(e);
        }
    }

    @Override
    public void onSubscribe(Subscription call) {
        call.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(WriteReply reply) {
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
        if (reply == null) {
            onError(new IllegalStateException(replica.member() + " ended a call without a reply"));
        }
    }
}
