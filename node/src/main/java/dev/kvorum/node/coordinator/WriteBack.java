package dev.kvorum.node.coordinator;

import dev.kvorum.node.quorum.AckTally;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.WriteReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the replies come to where a read brings the newest cell that it met to as many replicas as must answer it, before it is answered: then no later read of such a
 * quorum finds less. The cell goes to all replicas of the read that are not known to have it and are to have the key at all. The read is answered as soon as enough
 * have taken it, too many have failed, or its deadline is reached.
 *
 * <p>Source: Attiya, Bar-Noy and Dolev, "Sharing memory robustly in message-passing systems" (1995).
 */
final class WriteBack implements Gathering.Fold<WriteReply, ReadOutcome> {
    private final ReadOutcome outcome;
    private final Quorum quorum;
    private final AckTally holders;
    private final Attempt attempt;
    private final List<ReplicaFailure> failures = new ArrayList<>(0);
    private boolean superseded;

    /**
     * @param outcome what the read is answered with
     * @param quorum that of the read
     * @param holders how many replicas must have the cell, out of those that may, and those that are known to
     */
    WriteBack(ReadOutcome outcome, Quorum quorum, AckTally holders, Attempt attempt) {
        this.outcome = outcome;
        this.quorum = quorum;
        this.holders = holders;
        this.attempt = attempt;
    }

    @Override
    public boolean add(WriteReply reply) {
        switch (reply) {
            case WriteReply.Stored stored -> holders.success(stored.member());
            case WriteReply.Below below -> fail(below.asFailure());
            case ReplicaFailure failure -> fail(failure);
        }
        return superseded || holders.verdict() != AckTally.Verdict.OPEN;
    }

    private void fail(ReplicaFailure failure) {
        failures.add(failure);
        holders.failure(failure.member());
        superseded = attempt.isSuperseded(failure, isLost());
    }

    private boolean isLost() {
        return holders.verdict() == AckTally.Verdict.OUT_OF_REACH
                && !shortfall().isOverload();
    }

    @Override
    public @Nullable ReadOutcome outcome() {
        if (superseded) {
            return null;
        }
        return switch (holders.verdict()) {
            case REACHED -> outcome;
            case OUT_OF_REACH -> ReadOutcome.outOfReach(shortfall());
            case OPEN -> new ReadOutcome.TimedOut(shortfall());
        };
    }

    @Override
    public void giveUp() {}

    /** Replicas that are not to have the key have answered the read all the same, and count as they did there. */
    private Shortfall shortfall() {
        int others = quorum.ack() - holders.quorum().ack();
        return new Shortfall(quorum, others + holders.acks(), failures);
    }
}
