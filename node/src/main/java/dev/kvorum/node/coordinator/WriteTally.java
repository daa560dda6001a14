package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Version;
import dev.kvorum.node.quorum.AckTally;
import dev.kvorum.node.quorum.AckTally.Verdict;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.WriteReply;
import java.util.ArrayList;
import java.util.List;

/** What the replies to one write come to. Not thread-safe: they come one at a time. */
final class WriteTally {
    private final Version version;
    private final AckTally acks;
    private final List<ReplicaFailure> failures = new ArrayList<>(0);

    WriteTally(Version version, Quorum quorum) {
        this.version = version;
        this.acks = new AckTally(quorum);
    }

    WriteTally add(WriteReply reply) {
        switch (reply) {
            case WriteReply.Stored stored -> acks.success(stored.member());
            case ReplicaFailure failure -> {
                failures.add(failure);
                acks.failure(failure.member());
            }
        }
        return this;
    }

    boolean isDecided() {
        return acks.verdict() != Verdict.OPEN;
    }

    /** How the write ended, given that no further reply is waited for. */
    WriteOutcome outcome() {
        return switch (acks.verdict()) {
            case REACHED -> new WriteOutcome.Written(version, acks.acks(), acks.quorum());
            case OUT_OF_REACH ->
                shortfall().isOverload()
                        ? new WriteOutcome.Rejected(shortfall())
                        : new WriteOutcome.Unavailable(shortfall());
            case OPEN -> new WriteOutcome.TimedOut(shortfall());
        };
    }

    private Shortfall shortfall() {
        return new Shortfall(acks.quorum(), acks.acks(), failures);
    }
}
