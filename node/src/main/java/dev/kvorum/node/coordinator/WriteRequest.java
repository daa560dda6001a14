package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadline;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One write, from its version to the reply of its last replica. It begins when its client asks for the outcome.
 *
 * <pre>
 * event                     what it does while the write is in flight             afterwards
 * begins                    stamps the cell, sends it to all replicas; one that  -
 *                           is silent, and that the quorum can do without, may
 *                           be spared it: that is a failure
 * a reply                   counted; the one that decides has the client told     -
 * a failure                 a hint is kept, where any replica may have the cell   -
 * the last reply            ends; the client is told unless it was                -
 * the deadline is reached   ends; the client is told unless it was: timed out;    -
 *                           hints are kept for those that have not replied
 * the client goes away      goes on, and nobody is told                           -
 * a refusal as stale, or    ends, and the same cell is written anew by the        a hint is kept, as for
 * too many failures, not    topology that this node has learned of since; where   any failure
 * all for lack of room      it has not, as any failure
 * </pre>
 *
 * A write is planned anew as often as a newer topology comes into force, {@value ReplicaPlans#RENEWALS_MAX} times at most and until its deadline. No call is ever cancelled. Guarded as a {@link
 * ReadRequest}: by this object's lock.
 */
final class WriteRequest extends Deadline implements Subscription {
    private final WriteCoordinator writes;
    private final Key key;
    private final Draft draft;
    private final ReplicaPlan plan;
    private volatile @Nullable WriteRequest successor; // Does anew what this one has begun.
    // Null once it knows, has gone, or is left to the successor: what it holds of its connection must not live as long
    // as a silent replica takes.
    private @Nullable CoreSubscriber<? super WriteOutcome> client;
    private @Nullable WriteTally tally; // From the beginning on,
    private @Nullable Cell cell; // and so is this.
    private long deadline;
    private int replies;
    private boolean ended;

    WriteRequest(
            WriteCoordinator writes,
            Key key,
            Draft draft,
            ReplicaPlan plan,
            CoreSubscriber<? super WriteOutcome> client) {
        this.writes = writes;
        this.key = key;
        this.draft = draft;
        this.plan = plan;
        this.client = client;
    }

    /** Goes on with what the former has begun: the same cell. */
    private WriteRequest(
            WriteRequest former, ReplicaPlan plan, CoreSubscriber<? super WriteOutcome> client, boolean mayExist) {
        this.writes = former.writes;
        this.key = former.key;
        this.draft = former.draft;
        this.plan = plan;
        this.client = client;
        Cell begun = Objects.requireNonNull(former.cell);
        this.cell = begun;
        this.tally = new WriteTally(begun.version(), plan.tally(), mayExist);
        this.deadline = former.deadline;
    }

    @Override
    public void request(long n) {
        if (!Operators.validate(n)) {
            return;
        }
        Cell cell;
        synchronized (this) {
            if (tally != null || client == null) {
                return;
            }
            cell = draft.stamp(writes.clock().next(), plan.copies());
            this.cell = cell;
            tally = new WriteTally(cell.version(), plan.tally());
            deadline = writes.deadlines().now() + writes.deadline().toNanos();
            enter();
        }
        send(cell);
    }

    /** Once the former has ended. */
    private void goOn() {
        Cell begun;
        synchronized (this) {
            begun = Objects.requireNonNull(cell);
            enter();
        }
        send(begun);
    }

    private void enter() {
        writes.inFlight().begin();
        writes.deadlines().start(this, deadline);
    }

    private void send(Cell cell) {
        Set<String> spared = spared();
        for (ObservedReplica replica : plan.replicas()) {
            if (successor != null) {
                return; // One that replied at once has refused it as stale.
            }
            if (spared.contains(replica.member())) {
                replied(replica.sparesWrite());
            } else {
                new WriteCall(this, replica.member()).send(replica, key, cell, plan.epoch());
            }
        }
    }

    /** Those that need not be sent the cell: all that are silent, if the others make the quorum. */
    private Set<String> spared() {
        Set<String> silent = Set.of(); // As it mostly is.
        for (ObservedReplica replica : plan.replicas()) {
            if (replica.isPiledUp() && !isOwn(replica)) {
                silent = silent.isEmpty() ? new HashSet<>() : silent;
                silent.add(replica.member());
            }
        }
        return silent.isEmpty() || canSpare(silent) ? silent : Set.of();
    }

    /** What waits for this node's own disk is bounded there, and no hint gets past it. */
    private boolean isOwn(ObservedReplica replica) {
        return replica.member().equals(plan.view().self());
    }

    private synchronized boolean canSpare(Set<String> members) {
        return tally != null && tally.canSpare(members);
    }

    void replied(WriteReply reply) {
        CoreSubscriber<? super WriteOutcome> waiting = null;
        WriteOutcome outcome = null;
        boolean last = false;
        List<ReplicaFailure> owed = List.of();
        WriteRequest next;
        synchronized (this) {
            if (ended || tally == null) {
                return;
            }
            tally.add(reply);
            next = reply instanceof ReplicaFailure failure ? renewed(failure, tally) : null;
            if (next == null) {
                owed = tally.owed();
                last = isLast();
                if (tally.isDecided() || last) {
                    waiting = letGo();
                    outcome = waiting == null ? null : tally.outcome();
                }
            }
        }
        if (next != null) {
            next.goOn();
            leave();
            return;
        }
        owed.forEach(
                failure -> keepHint(failure.member())); // First: a node that stops waits for those that have not left.
        if (last) {
            leave();
        }
        tell(waiting, outcome);
    }

    /** That which goes on by a newer plan, if somebody waits and there is one: then this has ended. Under the lock. */
    private @Nullable WriteRequest renewed(ReplicaFailure failure, WriteTally tally) {
        boolean isRefused = failure.reason() == Reason.STALE || tally.isLost();
        if (client == null || !isRefused) {
            return null;
        }
        ReplicaPlan newer = writes.renew(key, plan);
        if (newer == null) {
            return null;
        }
        boolean mayExist = tally.mayExist() || replies + 1 < plan.replicas().size();
        WriteRequest next = new WriteRequest(this, newer, client, mayExist);
        client = null;
        ended = true;
        successor = next;
        return next;
    }

    private void keepHint(String member) {
        writes.hints().keep(member, key, Objects.requireNonNull(cell));
    }

    private boolean isLast() {
        replies++;
        ended = replies == plan.replicas().size();
        return ended;
    }

    /** A replica has broken its promise to answer with a reply: a bug, of which the client is told. */
    void broken(String member, Throwable bug) {
        CoreSubscriber<? super WriteOutcome> waiting;
        boolean last;
        keepHint(member);
        synchronized (this) {
            last = !ended && isLast();
            waiting = letGo();
        }
        if (last) {
            leave();
        }
        if (waiting != null) {
            waiting.onError(bug);
        } else {
            Operators.onErrorDropped(bug, Context.empty());
        }
    }

    @Override
    protected void expired(long now) {
        CoreSubscriber<? super WriteOutcome> waiting;
        WriteOutcome outcome;
        List<ReplicaFailure> owed;
        synchronized (this) {
            if (ended || tally == null) {
                return;
            }
            ended = true;
            waiting = letGo();
            outcome = tally.outcome();
            owed = owedAtTheEnd(tally);
        }
        owed.forEach(failure -> keepHint(failure.member()));
        leave();
        tell(waiting, outcome);
    }

    /** Who has not replied by the deadline has failed as well. */
    private List<ReplicaFailure> owedAtTheEnd(WriteTally tally) {
        for (ObservedReplica replica : plan.replicas()) {
            if (!tally.hasReplied(replica.member())) {
                tally.add(new ReplicaFailure(replica.member(), Reason.TIMED_OUT, "no answer by the deadline"));
            }
        }
        return tally.owed();
    }

    @Override
    public void cancel() {
        WriteRequest next;
        synchronized (this) {
            client = null;
            next = successor;
        }
        if (next != null) {
            next.cancel();
        }
    }

    /** Whoever is still to be told, and is no longer. Under the lock. */
    private @Nullable CoreSubscriber<? super WriteOutcome> letGo() {
        CoreSubscriber<? super WriteOutcome> waiting = client;
        client = null;
        return waiting;
    }

    private static void tell(@Nullable CoreSubscriber<? super WriteOutcome> waiting, @Nullable WriteOutcome outcome) {
        if (waiting != null && outcome != null) {
            waiting.onNext(outcome);
            waiting.onComplete();
        }
    }

    /** Once, by the thread that ended it. */
    private void leave() {
        writes.deadlines().stop(this);
        writes.inFlight().end();
    }
}
