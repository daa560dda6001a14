package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Version;
import dev.kvorum.node.quorum.AckTally.Verdict;
import dev.kvorum.node.quorum.Tally;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.WriteReply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What the replies to one write come to. Not thread-safe: they come one at a time. */
final class WriteTally {
    private final Version version;
    private final Tally acks;
    private final List<ReplicaFailure> failures = new ArrayList<>(0);
    private final List<String> below = new ArrayList<>(0);
    private int owedBefore; // How many of the failures were given out as owed.
    private int passedBefore; // How many of those below were given out.
    private boolean mayExist;

    WriteTally(Version version, Tally acks) {
        this(version, acks, false);
    }

    /** @param mayExist whether a replica may have the cell before any has replied */
    WriteTally(Version version, Tally acks, boolean mayExist) {
        this.version = version;
        this.acks = acks;
        this.mayExist = mayExist;
    }

    WriteTally add(WriteReply reply) {
        switch (reply) {
            case WriteReply.Stored stored -> {
                mayExist = true;
                acks.success(stored.member());
            }
            case WriteReply.Below below -> {
                this.below.add(below.member());
                fail(below.asFailure());
            }
            case ReplicaFailure failure -> {
                mayExist |= mayHaveArrived(failure);
                fail(failure);
            }
        }
        return this;
    }

    private void fail(ReplicaFailure failure) {
        failures.add(failure);
        acks.failure(failure.member());
    }

    private static boolean mayHaveArrived(ReplicaFailure failure) {
        return switch (failure.reason()) {
            // A stale one may have been stored before the newer epoch was seen.
            case UNREACHABLE, TIMED_OUT, BROKEN, STALE -> true;
            case OVERLOADED, REFUSED, BEHIND -> false;
        };
    }

    /**
     * The failures, since this was last asked, whose replicas are owed the cell. None as long as every replica has said that it did nothing: what
     * nobody has needs to be brought to nobody, least of all while all are overloaded.
     */
    List<ReplicaFailure> owed() {
        if (!mayExist || owedBefore == failures.size()) {
            return List.of();
        }
        List<ReplicaFailure> owed = failures.subList(owedBefore, failures.size()).stream()
                .filter(failure -> !below.contains(failure.member()))
                .toList();
        owedBefore = failures.size();
        return owed;
    }

    /** The replicas, since this was last asked, that have not taken it as a fresh write, once it is decided without them. None where nobody has it, as of {@link #owed}. */
    List<String> passedOver() {
        if (below.isEmpty() || !mayExist || !isDecided()) {
            return List.of();
        }
        List<String> members = List.copyOf(below.subList(passedBefore, below.size()));
        passedBefore = below.size();
        return members;
    }

    /** Whether any replica may have the cell, of those that have replied. */
    boolean mayExist() {
        return mayExist;
    }

    /** Whether that replica has replied. */
    boolean hasReplied(String member) {
        return acks.isCounted(member);
    }

    /** Whether the quorum could do without those replicas, besides the ones that have failed. */
    boolean canSpare(Collection<String> members) {
        return acks.canSpare(members);
    }

    boolean isDecided() {
        return acks.verdict() != Verdict.OPEN;
    }

    /** Whether too many have failed, and not for lack of room alone. */
    boolean isLost() {
        return acks.verdict() == Verdict.OUT_OF_REACH && !shortfall().isOverload();
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
