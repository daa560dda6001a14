package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.WriteReply;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** The part of a write that one replica is sent. */
final class WriteCall implements CoreSubscriber<WriteReply> {
    private final WriteRequest request;
    private final String member;
    private boolean answered; // Signals come one after the other.

    WriteCall(WriteRequest request, String member) {
        this.request = request;
        this.member = member;
    }

    void send(Replica replica, Key key, Cell cell, long epoch) {
        try {
            replica.write(key, cell, epoch).subscribe(this);
        } catch (RuntimeException e) {
            request.broken(member, e);
        }
    }

    @Override
    public void onSubscribe(Subscription call) {
        call.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(WriteReply reply) {
        answered = true;
        request.replied(reply);
    }

    @Override
    public void onError(Throwable e) {
        request.broken(member, e);
    }

    @Override
    public void onComplete() {
        if (!answered) {
            request.broken(member, new IllegalStateException(member + " ended a call without a reply"));
        }
    }
}
