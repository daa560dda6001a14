package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What the replies come to in one attempt at a read: the newest of the first {@code ack} cells, or why there are too few; nothing if a newer plan supersedes
 * this one. It holds the room of large values until its outcome is told, and has replicas that are behind mended.
 */
final class ReadAttempt implements Gathering.Fold<ReadReply, ReadOutcome> {
    private final ReadCoordinator reads;
    private final Key key;
    private final ReplicaPlan plan;
    private final Attempt attempt;
    private final ReadTally tally;
    private boolean superseded;
    private long held; // Bytes taken of the room; guarded by this,
    private boolean released; // and so is this.

    ReadAttempt(ReadCoordinator reads, Key key, ReplicaPlan plan, Attempt attempt) {
        this.reads = reads;
        this.key = key;
        this.plan = plan;
        this.attempt = attempt;
        this.tally = new ReadTally(plan.quorum());
    }

    @Override
    public boolean add(ReadReply reply) {
        hold(Room.bytesOf(reply));
        tally.add(reply);
        superseded = reply instanceof ReplicaFailure failure && attempt.isSuperseded(failure, tally.isLost());
        return superseded || tally.isDecided();
    }

    @Override
    public @Nullable ReadOutcome outcome() {
        if (superseded) {
            release();
            return null;
        }
        if (mending().mode() != Repair.BLOCKING) {
            release();
        }
        return reads.outcome(tally);
    }

    /** In the background: replicas that are behind are sent the newest cell. */
    @Override
    public void told() {
        if (isDivided() && mending().mode() == Repair.BACKGROUND) {
            Cell newest = newest();
            difference(newest).behind().forEach(replica -> mending().mend(replica, key, newest, plan.epoch()));
        }
    }

    /** Before the outcome is told: the newest cell is brought to a quorum. Empty if a newer plan supersedes this one. */
    Mono<ReadOutcome> mended(ReadOutcome outcome) {
        Difference difference = isDivided() ? difference(newest()) : null;
        if (difference == null || difference.isMended()) {
            release();
            return Mono.just(outcome);
        }
        WriteBack back = new WriteBack(outcome, plan.quorum(), difference.tally(), attempt);
        return new Gathering<>(writes(difference), back).doOnTerminate(this::release);
    }

    private WriteReplies writes(Difference difference) {
        Cell newest = newest();
        mending().metrics().waited();
        return new WriteReplies(
                difference.lacking(),
                replica -> mending().write(replica, key, newest, plan.epoch()),
                attempt.deadline(),
                reads.deadlines(),
                WriteReplies.Rest.UNWANTED);
    }

    private boolean isDivided() {
        return !superseded && tally.isReached() && tally.differs();
    }

    private Cell newest() {
        return Objects.requireNonNull(tally.newest());
    }

    private Difference difference(Cell newest) {
        Difference difference = new Difference(plan.quorum(), newest);
        for (ObservedReplica replica : plan.replicas()) {
            boolean isOwner = plan.isOwner(replica.member(), key, newest.copies());
            difference.add(replica, tally.reply(replica.member()), isOwner);
        }
        return difference;
    }

    private Mending mending() {
        return reads.policy().mending();
    }

    private synchronized void hold(long bytes) {
        if (released) {
            reads.policy().room().giveBack(bytes);
        } else {
            held += bytes;
        }
    }

    private synchronized void release() {
        released = true;
        reads.policy().room().giveBack(held);
        held = 0;
    }

    @Override
    public void giveUp() {
        release();
    }
}
