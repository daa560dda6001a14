package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the replies come to in one attempt at a write: written at the {@code ack}-th success, or why there are too few; nothing if a newer plan supersedes
 * this one, which then has other replicas take the cell. As long as none does, a hint is kept for each replica that has not taken it by the last reply or the deadline.
 *
 * <p>A replica may answer that it has acknowledged a newer version. If the quorum needs that replica, the next attempt has a version above; else the replica is brought the cell.
 */
final class WriteAttempt implements Gathering.Fold<WriteReply, WriteOutcome>, WriteReplies.Rest {
    private final Write write;
    private final Cell cell;
    private final HybridClock clock;
    private final ReplicaPlan plan;
    private final Attempt attempt;
    private final Hints hints;
    private final InFlight inFlight;
    private final WriteTally tally;
    private @Nullable WriteOutcome late; // What it had come to at the deadline.
    private int replies;
    private boolean isBelow; // A floor that the clock has taken note of.
    private boolean superseded;

    WriteAttempt(Write write, HybridClock clock, ReplicaPlan plan, Attempt attempt, Hints hints, InFlight inFlight) {
        this.write = write;
        this.cell = write.cell(clock, plan.copies());
        this.clock = clock;
        this.plan = plan;
        this.attempt = attempt;
        this.hints = hints;
        this.inFlight = inFlight;
        this.tally = new WriteTally(cell.version(), plan.tally(), write.mayExist());
    }

    /** What the replicas are to take. */
    Cell cell() {
        return cell;
    }

    /** Before it begins: the replicas that need not be sent the cell. All that are silent, if the others make the quorum. */
    Set<String> spared() {
        Set<String> silent = Set.of(); // As it mostly is.
        for (ObservedReplica replica : plan.replicas()) {
            if (replica.isPiledUp() && !isOwn(replica)) {
                silent = silent.isEmpty() ? new HashSet<>() : silent;
                silent.add(replica.member());
            }
        }
        return silent.isEmpty() || tally.canSpare(silent) ? silent : Set.of();
    }

    /** What waits for this node's own disk is bounded there, and no hint gets past it. */
    private boolean isOwn(ObservedReplica replica) {
        return replica.member().equals(plan.view().self());
    }

    @Override
    public void began() {
        inFlight.begin();
    }

    @Override
    public boolean add(WriteReply reply) {
        tally.add(reply);
        replies++;
        superseded = (reply instanceof ReplicaFailure failure && attempt.isSuperseded(failure, tally.isLost()))
                || (learns(reply) && isStampedAnew());
        if (superseded) {
            if (tally.mayExist() || replies < plan.replicas().size()) {
                write.mayExistFromNowOn();
            }
            return true;
        }
        keepHints();
        return tally.isDecided();
    }

    /** Whether the replicas that take this version can't make the quorum, and another attempt by the same plan has a newer one. */
    private boolean isStampedAnew() {
        if (!isShort() || !attempt.repeats()) {
            return false;
        }
        write.stampAnew();
        return true;
    }

    /** Whether a replica, this one or an earlier, would take the write if it had a newer version: each floor counts that is not too far ahead of this node's clock. */
    private boolean learns(WriteReply reply) {
        if (reply instanceof WriteReply.Below(var _, Version floor)
                && floor.isAbove(cell.version())
                && floor.hybridTime() > 0) {
            isBelow |= clock.observe(floor);
        }
        return isBelow;
    }

    /** Whether the quorum is out of reach, or waits for replicas that are known to be of no use now. */
    private boolean isShort() {
        if (tally.isDecided()) {
            return tally.isLost();
        }
        Set<String> doubtful = Set.of();
        for (ObservedReplica replica : plan.replicas()) {
            if (!tally.hasReplied(replica.member()) && !replica.isTrusted()) {
                doubtful = doubtful.isEmpty() ? new HashSet<>() : doubtful;
                doubtful.add(replica.member());
            }
        }
        return !doubtful.isEmpty() && !tally.canSpare(doubtful);
    }

    @Override
    public @Nullable WriteOutcome outcome() {
        if (superseded) {
            return null;
        }
        return late == null ? tally.outcome() : late;
    }

    @Override
    public void giveUp() {}

    @Override
    public boolean isWanted() {
        return !superseded;
    }

    @Override
    public void replied(WriteReply reply) {
        tally.add(reply);
        keepHints();
    }

    @Override
    public void broken(String member) {
        keepHint(member);
    }

    /** A replica that has not replied by the deadline has failed as well. */
    @Override
    public void expired() {
        late = tally.outcome();
        for (ObservedReplica replica : plan.replicas()) {
            if (!tally.hasReplied(replica.member())) {
                tally.add(new ReplicaFailure(replica.member(), Reason.TIMED_OUT, "no answer by the deadline"));
            }
        }
        keepHints();
    }

    private void keepHints() {
        tally.owed().forEach(failure -> keepHint(failure.member()));
        tally.passedOver().forEach(this::bring);
    }

    /** A replica has not taken it as a fresh write, and the others were enough: it takes it as a copy of theirs. */
    private void bring(String member) {
        for (ObservedReplica replica : plan.replicas()) {
            if (replica.member().equals(member)) {
                inFlight.begin();
                var _ = replica.bring(write.key(), cell, plan.epoch())
                        .doFinally(end -> inFlight.end())
                        .subscribe(reply -> brought(member, reply), bug -> keepHint(member));
            }
        }
    }

    private void brought(String member, WriteReply reply) {
        if (!(reply instanceof WriteReply.Stored)) {
            keepHint(member);
        }
    }

    private void keepHint(String member) {
        hints.keep(member, write.key(), cell);
    }

    /** After its hints are kept: a node that stops waits for what is in flight. */
    @Override
    public void left() {
        inFlight.end();
    }
}
