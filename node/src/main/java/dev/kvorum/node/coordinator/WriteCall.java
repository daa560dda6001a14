package dev.kvorum.node.coordinator;

import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.WriteReply;
import java.util.function.Function;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Mono;

/** The call of a write to one replica. */
final class WriteCall extends ReplicaCall<WriteReply> {
    WriteCall(WriteCalls calls, ObservedReplica replica) {
        super(calls, replica);
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
}
