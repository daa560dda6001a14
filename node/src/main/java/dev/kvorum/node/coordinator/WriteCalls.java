package dev.kvorum.node.coordinator;

import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.WriteReply;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** The calls behind {@link WriteReplies}, for one listener. */
final class WriteCalls extends Draining implements Subscription {
    private final WriteReplies replies;
    private final WriteCall[] calls;
    private boolean begun; // Of the thread that requests.

    // The marks.
    private volatile boolean cancelled;
    private volatile boolean isDue;

    // Of the thread that drains.
    private @Nullable Thread handingOn; // While it hands on a reply.
    private @Nullable CoreSubscriber<? super WriteReply>
            listener; // Null once nobody listens: silent replicas hold nothing of it.
    private int taken; // How many have replied.
    private boolean left;
    private volatile boolean unwanted; // What is left to be sent as well; read by the thread that sends.

    WriteCalls(WriteReplies replies, CoreSubscriber<? super WriteReply> listener) {
        this.replies = replies;
        this.listener = listener;
        this.calls = new WriteCall[replies.replicas.size()];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = new WriteCall(this, replies.replicas.get(i));
        }
    }

    @Override
    public void request(long n) {
        if (!Operators.validate(n) || begun || cancelled) {
            return;
        }
        begun = true;
        replies.rest.began();
        replies.deadlines.start(this, replies.deadline);
        for (WriteCall call : calls) {
            if (unwanted) {
                return; // A replica that replied at once has decided it, and the rest is not wanted.
            }
            call.send(replies.call);
        }
    }

    @Override
    protected void expired(long now) {
        isDue = true;
        drain();
    }

    @Override
    public void cancel() {
        if (Thread.currentThread().equals(handingOn)) {
            listener = null; // What follows is done when the listener returns.
        } else {
            cancelled = true;
            drain();
        }
    }

    @Override
    void seeMarks() {
        if (cancelled) {
            listener = null;
            leaveUnwanted();
        }
        for (WriteCall call : calls) {
            if (call.hasArrived()) {
                call.isTaken = true;
                take(call);
            }
        }
        if (isDue && !left) {
            replies.rest.expired();
            leave();
            complete();
        }
    }

    private void take(WriteCall call) {
        WriteReply reply = call.reply();
        if (reply == null) {
            fail(call.replica, Objects.requireNonNull(call.bug()));
        } else if (!left) {
            taken++;
            handOn(reply);
            leaveUnwanted();
            leaveWithTheLast();
        }
    }

    private void handOn(WriteReply reply) {
        CoreSubscriber<? super WriteReply> listening = listener;
        if (listening == null) {
            replies.rest.replied(reply);
            return;
        }
        handingOn = Thread.currentThread();
        listening.onNext(reply);
        handingOn = null;
    }

    private void leaveUnwanted() {
        if (listener == null && !left && !replies.rest.isWanted()) {
            leave();
        }
    }

    private void leaveWithTheLast() {
        if (!left && taken == calls.length) {
            leave();
            complete();
        }
    }

    private void fail(ObservedReplica replica, Throwable bug) {
        CoreSubscriber<? super WriteReply> listening = letGo();
        replies.rest.broken(replica.member());
        if (!left) {
            taken++;
            leaveUnwanted();
            leaveWithTheLast();
        }
        if (listening == null) {
            Operators.onErrorDropped(bug, Context.empty());
        } else {
            listening.onError(bug);
        }
    }

    private void complete() {
        CoreSubscriber<? super WriteReply> listening = letGo();
        if (listening != null) {
            listening.onComplete();
        }
    }

    private @Nullable CoreSubscriber<? super WriteReply> letGo() {
        CoreSubscriber<? super WriteReply> listening = listener;
        listener = null;
        return listening;
    }

    /** Once. */
    private void leave() {
        left = true;
        unwanted = !replies.rest.isWanted();
        replies.deadlines.stop(this);
        replies.rest.left();
    }
}
