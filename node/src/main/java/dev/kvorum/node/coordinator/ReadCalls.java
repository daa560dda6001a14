package dev.kvorum.node.coordinator;

import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/** The calls behind {@link ReadReplies}, for one listener. */
final class ReadCalls extends Draining implements Subscription {
    static final long GRACE = TimeUnit.MILLISECONDS.toNanos(50); // Deadlines and calls end some milliseconds late.
    private static final long NONE = -1; // In place of a time, all of which are later than that.

    private final ReadReplies replies;
    private final CoreSubscriber<? super ReadReply> listener;
    private final @Nullable ReadCall[] calls;

    // The marks.
    private volatile boolean requested;
    private volatile boolean cancelled;
    private volatile long expiredAt = NONE;

    // Of the thread that drains.
    private @Nullable Thread handingOn; // While it hands on a reply.
    private int wanted; // How many replicas are to be asked by now,
    private int asked; // and how many have been.
    private int taken; // How many have replied.
    private int hedges; // How many of those still to be asked are hedges.
    private boolean begun;
    private boolean ended;

    ReadCalls(ReadReplies replies, CoreSubscriber<? super ReadReply> listener) {
        this.replies = replies;
        this.listener = listener;
        this.calls = new ReadCall[replies.plan.replicas().size()];
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n)) {
            requested = true;
            drain();
        }
    }

    @Override
    protected void expired(long now) {
        expiredAt = now;
        drain();
    }

    /** The thread that hands on a reply cancels at once: the calls are called off before anybody is told what that reply has decided. */
    @Override
    public void cancel() {
        if (Thread.currentThread().equals(handingOn)) {
            end();
        } else {
            cancelled = true;
            drain();
        }
    }

    @Override
    void seeMarks() {
        if (cancelled && !ended) {
            end();
        }
        if (requested && !begun && !ended) {
            begun = true;
            wanted = replies.plan.first();
            goOn();
        }
        takeArrived();
        long now = expiredAt;
        if (now != NONE && !ended) {
            expiredAt = NONE;
            expire(now);
        }
    }

    /** Asks the replicas that are wanted by now, and lets the next thing expire that there is to wait for. */
    private void goOn() {
        while (!ended && asked < wanted) {
            ask();
            takeArrived();
            if (cancelled && !ended) {
                end();
            }
        }
        if (!ended) {
            awaitNext();
        }
    }

    private void ask() {
        boolean isHedge = hedges > 0;
        if (isHedge) {
            hedges--;
            replies.metrics.hedgeSent();
        }
        ReadCall call = new ReadCall(this, replies.plan.replicas().get(asked), isHedge);
        call.isHopedFor = asked != replies.plan.probe();
        if (replies.plan.first() < calls.length) {
            call.await(replies.policy.hedging(), replies.deadlines.now());
        }
        calls[asked] = call;
        asked++;
        call.ask(replies.key, replies.plan.epoch(), timeLeft());
    }

    /** How long a call may take: a little longer than the read, whose own end is then told as what it is, and not as the failure of a replica. */
    private long timeLeft() {
        return Math.max(0, replies.deadline - replies.deadlines.now()) + GRACE;
    }

    private void awaitNext() {
        long next = replies.deadline;
        for (int i = 0; i < asked && wanted < calls.length; i++) {
            next = Math.min(next, call(i).expiry());
        }
        replies.deadlines.start(this, next);
    }

    private void takeArrived() {
        for (int i = 0; i < asked; i++) {
            if (call(i).hasArrived()) {
                take(call(i));
            }
        }
    }

    private void take(ReadCall call) {
        ReadReply reply = call.reply();
        if (reply == null) {
            fail(Objects.requireNonNull(call.bug()));
            call.isTaken = true;
        } else {
            call.isTaken = true;
            if (ended) {
                replies.metrics.unused();
            } else {
                taken++;
                handOn(call, admitted(reply));
            }
        }
    }

    private void handOn(ReadCall call, ReadReply reply) {
        boolean isFailure = reply instanceof ReplicaFailure;
        call.isHopedFor = !isFailure;
        if (call.isHedge) {
            replies.metrics.hedgeEnded(!isFailure);
        }
        handingOn = Thread.currentThread();
        listener.onNext(reply);
        handingOn = null;
        if (ended) {
            return;
        }
        if (taken == calls.length) {
            end();
            listener.onComplete();
        } else if (isFailure) {
            replace();
        }
    }

    private void replace() {
        if (lacksHope()) {
            wanted++;
            replies.metrics.replaced();
        }
        goOn();
    }

    /** The reply, if there is room to hold its cell until the read is decided. */
    private ReadReply admitted(ReadReply reply) {
        long bytes = Room.bytesOf(reply);
        return bytes == 0 || replies.policy.room().take(bytes)
                ? reply
                : new ReplicaFailure(
                        reply.member(),
                        Reason.OVERLOADED,
                        "it answered, but the coordinator has no room for its value");
    }

    /** Whether another replica has to be asked, and is there. */
    private boolean lacksHope() {
        int hopes = wanted - asked - (replies.plan.probe() >= asked ? 1 : 0);
        for (int i = 0; i < asked; i++) {
            hopes += call(i).isHopedFor ? 1 : 0;
        }
        return hopes < replies.plan.quorum().ack() && wanted < calls.length;
    }

    private void expire(long now) {
        if (now >= replies.deadline) {
            end();
            listener.onComplete();
            return;
        }
        for (int i = 0; i < asked; i++) {
            if (call(i).isOverdue(now)) {
                hedge(call(i), now);
            }
        }
        goOn();
    }

    private void hedge(ReadCall late, long now) {
        late.isHopedFor = false;
        if (!lacksHope()) {
            return; // It fails nobody if this one never answers.
        }
        if (!late.replica.health().isTrusted(now)) {
            wanted++;
            replies.metrics.replaced();
        } else if (replies.policy.hedging().budget().spend()) {
            wanted++;
            hedges++;
        } else {
            replies.metrics.hedgeRefused();
            late.isHopedFor = true;
            late.await(replies.policy.hedging(), now);
        }
    }

    private void fail(Throwable bug) {
        if (ended) {
            Operators.onErrorDropped(bug, listener.currentContext());
        } else {
            end();
            listener.onError(bug);
        }
    }

    /** Once: nothing is handed on any more. */
    private void end() {
        ended = true;
        replies.deadlines.stop(this);
        replies.metrics.unasked(calls.length - asked);
        for (int i = 0; i < asked; i++) {
            if (!call(i).isTaken) {
                abandon(call(i));
            }
        }
    }

    private void abandon(ReadCall call) {
        if (call.isHedge) {
            replies.metrics.hedgeEnded(false);
        }
        call.cancel();
    }

    private ReadCall call(int index) {
        return Objects.requireNonNull(calls[index]);
    }
}
