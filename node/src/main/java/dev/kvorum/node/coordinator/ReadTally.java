package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.quorum.AckTally;
import dev.kvorum.node.quorum.AckTally.Verdict;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the replies to one read come to. Not thread-safe: they come one at a time. */
final class ReadTally {
    private final AckTally acks;
    private final List<ReadReply> replies;
    private @Nullable Cell newest;
    private boolean someAbsent;
    private boolean differs;

    ReadTally(Quorum quorum) {
        this.acks = new AckTally(quorum);
        this.replies = new ArrayList<>(quorum.from());
    }

    ReadTally add(ReadReply reply) {
        replies.add(reply);
        switch (reply) {
            case ReadReply.Found found -> {
                note(found.cell());
                acks.success(found.member());
            }
            case ReadReply.Absent absent -> {
                someAbsent = true;
                differs |= newest != null;
                acks.success(absent.member());
            }
            case ReplicaFailure failure -> acks.failure(failure.member());
        }
        return this;
    }

    private void note(Cell cell) {
        Cell former = newest;
        int order = former == null ? 1 : cell.compareTo(former);
        differs |= former == null ? someAbsent : order != 0;
        newest = order > 0 ? cell : former;
    }

    /** Whether replicas have answered differently: then some are behind. */
    boolean differs() {
        return differs;
    }

    boolean isReached() {
        return acks.verdict() == Verdict.REACHED;
    }

    /** Whether too many have failed, and not for lack of room alone. */
    boolean isLost() {
        return acks.verdict() == Verdict.OUT_OF_REACH && !shortfall().isOverload();
    }

    boolean isDecided() {
        return acks.verdict() != Verdict.OPEN;
    }

    /** What that replica has replied, or null. */
    @Nullable
    ReadReply reply(String member) {
        for (ReadReply reply : replies) {
            if (reply.member().equals(member)) {
                return reply;
            }
        }
        return null;
    }

    /** The newest cell so far, or null. */
    @Nullable
    Cell newest() {
        return newest;
    }

    /**
     * How the read ended, given that no further reply is waited for.
     *
     * @param now milliseconds since 1970, for values that expire
     */
    ReadOutcome outcome(long now) {
        return switch (acks.verdict()) {
            case REACHED -> answer(now);
            case OUT_OF_REACH -> ReadOutcome.outOfReach(shortfall());
            case OPEN -> new ReadOutcome.TimedOut(shortfall());
        };
    }

    private ReadOutcome answer(long now) {
        Cell cell = newest;
        if (cell == null) {
            return new ReadOutcome.Absent(null, acks.acks(), acks.quorum());
        }
        return cell.isVisibleAt(now)
                ? new ReadOutcome.Found(cell, acks.acks(), acks.quorum())
                : new ReadOutcome.Absent(cell.version(), acks.acks(), acks.quorum());
    }

    private Shortfall shortfall() {
        return new Shortfall(acks.quorum(), acks.acks(), failures());
    }

    private List<ReplicaFailure> failures() {
        List<ReplicaFailure> failures = new ArrayList<>(acks.counted() - acks.acks());
        for (ReadReply reply : replies) {
            if (reply instanceof ReplicaFailure failure) {
                failures.add(failure);
            }
        }
        return failures;
    }
}
