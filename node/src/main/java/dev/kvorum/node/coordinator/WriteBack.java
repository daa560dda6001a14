package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadline;
import dev.kvorum.node.quorum.AckTally;
import dev.kvorum.node.quorum.AckTally.Verdict;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Before a read is answered, brings the newest cell that it met to as many replicas as must answer it: then no later read of such a quorum finds
 * less. It goes to all replicas of the read that are not known to have it and are to have the key at all, and the read is answered at once when
 * enough have taken it, when too many have failed, or at its deadline. Where one has refused it as stale, or too many have failed, and a newer topology is in force
 * the read is begun anew by that. No call is cancelled.
 *
 * <p>Guarded as a {@link ReadRequest}: by this object's lock, which is not held while others are called.
 *
 * <p>Source: Attiya, Bar-Noy and Dolev, "Sharing memory robustly in message-passing systems" (1995).
 */
final class WriteBack extends Deadline {
    private final ReadCoordinator reads;
    private final ReadRequest request;
    private final ReadOutcome outcome;
    private final Quorum quorum;
    private final AckTally holders;
    private final List<ReplicaFailure> failures = new ArrayList<>(0);
    private boolean ended;

    /**
     * @param outcome what the read is answered with
     * @param quorum that of the read
     * @param holders how many replicas must have the cell, out of those that may, and those that are known to
     */
    WriteBack(ReadCoordinator reads, ReadRequest request, ReadOutcome outcome, Quorum quorum, AckTally holders) {
        this.reads = reads;
        this.request = request;
        this.outcome = outcome;
        this.quorum = quorum;
        this.holders = holders;
    }

    /**
     * Sends the cell. Once.
     *
     * @param lacking those that are not known to have it
     * @param epoch by which the read chose its replicas
     * @param deadline when the read has to be answered
     */
    void begin(List<ObservedReplica> lacking, Key key, Cell cell, long epoch, long deadline) {
        metrics().waited();
        reads.deadlines().start(this, deadline);
        for (ObservedReplica replica : lacking) {
            if (hasEnded()) {
                return; // One that replied at once has refused it as stale.
            }
            metrics().sent(1);
            var _ = Mono.defer(() -> replica.write(key, cell, epoch)).subscribe(this::replied, this::broken);
        }
    }

    private synchronized boolean hasEnded() {
        return ended;
    }

    private ReadRepairMetrics metrics() {
        return reads.policy().mending().metrics();
    }

    private void replied(WriteReply reply) {
        metrics().answered(reply);
        Verdict verdict;
        ReadRequest next;
        synchronized (this) {
            if (ended) {
                return;
            }
            verdict = count(reply);
            next = reply instanceof ReplicaFailure failure ? anew(failure, verdict) : null;
            ended = verdict != Verdict.OPEN || next != null;
        }
        if (next != null) {
            reads.deadlines().stop(this);
            request.handOver(next);
            return;
        }
        switch (verdict) {
            case REACHED -> end(outcome);
            case OUT_OF_REACH -> end(ReadOutcome.outOfReach(shortfall()));
            case OPEN -> {} // Others are to reply yet.
        }
    }

    private @Nullable ReadRequest anew(ReplicaFailure failure, Verdict verdict) {
        boolean isLost = verdict == Verdict.OUT_OF_REACH && !shortfall().isOverload();
        return isLost || failure.reason() == Reason.STALE ? request.anew() : null;
    }

    private Verdict count(WriteReply reply) {
        return switch (reply) {
            case WriteReply.Stored stored -> holders.success(stored.member());
            case ReplicaFailure failure -> {
                failures.add(failure);
                yield holders.failure(failure.member());
            }
        };
    }

    /** A replica has broken its promise to answer with a reply: a bug, of which the client is told. */
    private void broken(Throwable bug) {
        synchronized (this) {
            if (ended) {
                Operators.onErrorDropped(bug, Context.empty());
                return;
            }
            ended = true;
        }
        reads.deadlines().stop(this);
        request.tell(bug);
    }

    @Override
    protected void expired(long now) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        end(new ReadOutcome.TimedOut(shortfall()));
    }

    /** Once, by the thread that ended it: nothing is changed any more. */
    private void end(ReadOutcome end) {
        reads.deadlines().stop(this);
        request.tell(end);
    }

    /** Replicas that are not to have the key have answered the read all the same, and count as they did there. */
    private Shortfall shortfall() {
        int others = quorum.ack() - holders.quorum().ack();
        return new Shortfall(quorum, others + holders.acks(), failures);
    }
}
