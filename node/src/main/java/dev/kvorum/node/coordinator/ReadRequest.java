package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadline;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/**
 * One read, from the first replica asked to its outcome. It begins when its client asks for the outcome.
 *
 * <pre>
 * event                     what it does while the read is open                                 afterwards
 * begins                    asks the first of the plan, one by one as long as it stays open     -
 * a reply decides           ends: the outcome; calls without reply are cancelled, or where      counted as unused
 *                           nothing is, the rest of those wanted are asked all the same. Replicas
 *                           that are behind are mended: afterwards, or before it is told
 * a success does not        -                                                                   counted as unused
 * a failure does not        asks the next where fewer than ack are hoped for                    counted as unused
 * a call is overdue         asks the next where fewer than ack are hoped for, if the budget     -
 *                           allows it or the replica is avoided by now; else waits as long again
 * the deadline is reached   ends: timed out; calls without reply are cancelled                  -
 * a value finds no room     as if its replica had failed, overloaded                            -
 * a refusal as stale, or    ends, and is begun anew by the topology that this node has learned  counted as unused
 * too many failures, not    of since; where it has not, as any failure
 * all for lack of room
 * the client goes away      ends without an outcome; calls without reply are cancelled          -
 * </pre>
 *
 * Hoped for are the replicas that have succeeded, and those asked that have neither failed nor are overdue; a probe is not. As failures
 * have others asked, the quorum is out of reach exactly when it would be had all been asked at once. A read is begun anew as often as a newer topology
 * comes into force, {@value ReplicaPlans#RENEWALS_MAX} times at most and until its deadline.
 *
 * <p>Replies, deadline and client come by any threads. What they change is guarded by this object's lock, which is held for some
 * instructions, for a plan where one is made anew, and never while another object is called that might call back: replicas are asked and cancelled and the client is told
 * outside of it. Locks are taken in one order: that of a write-back, this, then that of a slot of the deadlines, of a replica's breaker, or of the replicas and their meters. None who is told
 * of a breaker's state calls a request.
 */
final class ReadRequest extends Deadline implements Subscription {
    /** Cells shorter than that are not counted: the limit on operations bounds them. */
    static final int COUNTED_MIN = 4096;

    static final long GRACE = TimeUnit.MILLISECONDS.toNanos(50); // Deadlines and calls end some milliseconds late.
    private static final long NOT_BEGUN = -1; // In place of a deadline, all of which are later than that.

    private final ReadCoordinator reads;
    private final Key key;
    private final ReplicaPlan plan;
    private final CoreSubscriber<? super ReadOutcome> client;
    private final ReadTally tally;
    private final @Nullable ReadCall[] calls;
    private @Nullable ReadRequest successor; // Does anew what this one has begun.
    private int wanted; // How many replicas are to be asked by now,
    private int asked; // and how many have been.
    private int hedges; // How many of those still to be asked are hedges.
    private long held; // Bytes of cells that count against the room.
    private long deadline;
    private boolean begun;
    private boolean ended;
    private volatile boolean gone; // The client.

    ReadRequest(ReadCoordinator reads, Key key, ReplicaPlan plan, CoreSubscriber<? super ReadOutcome> client) {
        this(reads, key, plan, client, NOT_BEGUN);
    }

    private ReadRequest(
            ReadCoordinator reads,
            Key key,
            ReplicaPlan plan,
            CoreSubscriber<? super ReadOutcome> client,
            long deadline) {
        this.reads = reads;
        this.key = key;
        this.plan = plan;
        this.client = client;
        this.tally = new ReadTally(plan.quorum());
        this.calls = new ReadCall[plan.replicas().size()];
        this.deadline = deadline;
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n) && begins()) {
            goOn();
        }
    }

    private synchronized boolean begins() {
        if (begun || ended) {
            return false;
        }
        begun = true;
        if (deadline == NOT_BEGUN) {
            deadline = reads.deadlines().now() + reads.policy().deadline().toNanos();
        }
        wanted = plan.first();
        return true;
    }

    /** Asks the replicas that are wanted by now, and lets the next thing expire that there is to wait for. */
    private void goOn() {
        for (ReadCall call = next(); call != null; call = next()) {
            call.ask(key, plan.epoch(), timeLeft());
        }
        awaitNext();
    }

    /** How long a call may take: a little longer than this, whose own end is then told as what it is, and not as the failure of a replica. */
    private long timeLeft() {
        return Math.max(0, deadline - reads.deadlines().now()) + GRACE;
    }

    private synchronized @Nullable ReadCall next() {
        if (ended || asked == wanted) {
            return null;
        }
        boolean isHedge = hedges > 0;
        if (isHedge) {
            hedges--;
            reads.metrics().hedgeSent();
        }
        ReadCall call = new ReadCall(this, plan.replicas().get(asked), isHedge);
        call.isHopedFor = asked != plan.probe();
        if (plan.first() < calls.length) {
            call.await(reads.policy().hedging(), reads.deadlines().now());
        }
        calls[asked] = call;
        asked++;
        return call;
    }

    void replied(ReadCall call, ReadReply answer) {
        boolean isFailure;
        boolean decides;
        ReadRequest next;
        synchronized (this) {
            if (ended) {
                reads.metrics().unused();
                return;
            }
            ReadReply reply = held(answer);
            isFailure = reply instanceof ReplicaFailure;
            call.isAnswered = true;
            call.reply = reply;
            call.isHopedFor = !isFailure;
            tally.add(reply);
            decides = tally.isDecided();
            next = reply instanceof ReplicaFailure failure ? renewed(failure) : null;
            ended = decides || next != null;
            if (isFailure && !ended && lacksHope()) {
                wanted++;
                reads.metrics().replaced();
            }
        }
        if (call.isHedge) {
            reads.metrics().hedgeEnded(!isFailure);
        }
        if (next != null) {
            leave();
            handOver(next);
        } else if (decides) {
            leave();
            conclude();
            askTheRest();
        } else if (isFailure) {
            goOn();
        }
    }

    /** That which begins anew by a newer plan, if there is one: then this has ended. Under the lock. */
    private @Nullable ReadRequest renewed(ReplicaFailure failure) {
        return failure.reason() == Reason.STALE || tally.isLost() ? renewed() : null;
    }

    private @Nullable ReadRequest renewed() {
        ReplicaPlan newer = reads.renew(key, plan);
        successor = newer == null ? null : new ReadRequest(reads, key, newer, client, deadline);
        return successor;
    }

    /** That which begins anew what could not be written back by the plan of this, if somebody waits and there is a newer one. Once this has ended. */
    synchronized @Nullable ReadRequest anew() {
        return gone ? null : renewed();
    }

    void handOver(ReadRequest next) {
        giveBackRoom();
        next.request(1);
    }

    /** The answer, if there is room to hold its cell until the read is decided. */
    private ReadReply held(ReadReply answer) {
        if (!(answer instanceof ReadReply.Found found) || found.cell().bytes().length < COUNTED_MIN) {
            return answer;
        }
        int bytes = found.cell().bytes().length;
        if (!reads.policy().room().take(bytes)) {
            return new ReplicaFailure(
                    found.member(), Reason.OVERLOADED, "it answered, but the coordinator has no room for its value");
        }
        held += bytes;
        return answer;
    }

    /** Whether another replica has to be asked, and is there. */
    private boolean lacksHope() {
        int hopes = wanted - asked - (plan.probe() >= asked ? 1 : 0);
        for (int i = 0; i < asked; i++) {
            hopes += call(i).isHopedFor ? 1 : 0;
        }
        return hopes < plan.quorum().ack() && wanted < calls.length;
    }

    private ReadCall call(int index) {
        return Objects.requireNonNull(calls[index]);
    }

    /** A replica has broken its promise to answer with a reply: a bug, of which the client is told. */
    void broken(ReadCall call, Throwable bug) {
        synchronized (this) {
            if (ended) {
                Operators.onErrorDropped(bug, client.currentContext());
                return;
            }
            ended = true;
        }
        leave();
        tell(bug);
    }

    @Override
    protected void expired(long now) {
        boolean late;
        synchronized (this) {
            if (ended) {
                return;
            }
            late = now >= deadline;
            ended = late;
            for (int i = 0; i < asked && !late; i++) {
                if (call(i).isOverdue(now)) {
                    hedge(call(i), now);
                }
            }
        }
        if (late) {
            leave();
            tell(reads.outcome(tally));
        } else {
            goOn();
        }
    }

    private void hedge(ReadCall late, long now) {
        late.isHopedFor = false;
        if (!lacksHope()) {
            return; // It fails nobody if this one never answers.
        }
        if (!late.replica.health().isTrusted(now)) {
            wanted++;
            reads.metrics().replaced();
        } else if (reads.policy().hedging().budget().spend()) {
            wanted++;
            hedges++;
        } else {
            reads.metrics().hedgeRefused();
            late.isHopedFor = true;
            late.await(reads.policy().hedging(), now);
        }
    }

    private synchronized void awaitNext() {
        if (ended) {
            return;
        }
        long next = deadline;
        for (int i = 0; i < asked && wanted < calls.length; i++) {
            next = Math.min(next, call(i).expiry());
        }
        reads.deadlines().start(this, next);
    }

    @Override
    public void cancel() {
        gone = true;
        ReadRequest next;
        synchronized (this) {
            next = successor;
            if (ended && next == null) {
                return;
            }
            ended = true;
        }
        if (next == null) {
            leave();
            giveBackRoom();
        } else {
            next.cancel();
        }
    }

    /** Once, by the thread that ended it: nothing is changed any more. */
    private void leave() {
        reads.deadlines().stop(this);
        reads.metrics().unasked(calls.length - (reads.policy().cancels() ? asked : wanted));
        for (int i = 0; i < asked; i++) {
            ReadCall call = call(i);
            if (!call.isAnswered) {
                call.abandon(reads.policy().cancels(), reads.metrics());
            }
        }
    }

    /** Where nothing is called off, neither is what was to be asked and is not needed any more. */
    private void askTheRest() {
        for (int i = asked; i < wanted && !reads.policy().cancels(); i++) {
            new ReadCall(this, plan.replicas().get(i), false).ask(key, plan.epoch(), timeLeft());
        }
    }

    /** It is decided: the client is told, and replicas that are behind are mended. */
    private void conclude() {
        ReadOutcome outcome = reads.outcome(tally);
        Cell newest = tally.differs() && tally.isReached() ? tally.newest() : null;
        if (newest == null) {
            tell(outcome);
            return;
        }
        Mending mending = reads.policy().mending();
        switch (mending.mode()) {
            case OFF -> tell(outcome);
            case BACKGROUND -> {
                tell(outcome);
                difference(newest).behind().forEach(replica -> mending.mend(replica, key, newest, plan.epoch()));
            }
            case BLOCKING -> mendFirst(difference(newest), newest, outcome);
        }
    }

    private void mendFirst(Difference difference, Cell newest, ReadOutcome outcome) {
        if (difference.isMended()) {
            tell(outcome);
        } else {
            new WriteBack(reads, this, outcome, plan.quorum(), difference.tally())
                    .begin(difference.lacking(), key, newest, plan.epoch(), deadline);
        }
    }

    private Difference difference(Cell newest) {
        Difference difference = new Difference(plan.quorum(), newest);
        for (int i = 0; i < calls.length; i++) {
            ObservedReplica replica = plan.replicas().get(i);
            difference.add(replica, calls[i], plan.isOwner(replica.member(), key, newest.copies()));
        }
        return difference;
    }

    /** The outcome, once. Whoever takes it counts what it holds of it. */
    void tell(ReadOutcome outcome) {
        giveBackRoom();
        if (!gone) {
            client.onNext(outcome);
            client.onComplete();
        }
    }

    /** That there is none, for a bug. */
    void tell(Throwable bug) {
        giveBackRoom();
        if (gone) {
            Operators.onErrorDropped(bug, client.currentContext());
        } else {
            client.onError(bug);
        }
    }

    private void giveBackRoom() {
        reads.policy().room().giveBack(held);
    }
}
