package dev.kvorum.node.quorum;

import java.util.Arrays;
import java.util.Collection;

/**
 * Counts the replicas of one request that succeeded and that failed, until one or the other decides it.
 *
 * <p>Not thread-safe: it belongs to one request, whose replies come one at a time.
 */
public final class AckTally implements Tally {
    /** What a tally has come to. */
    public enum Verdict {
        /** Neither enough successes nor too many failures yet. */
        OPEN,
        /** {@code ack} replicas succeeded. */
        REACHED,
        /** So many failed that {@code ack} can't be reached any more. */
        OUT_OF_REACH
    }

    private final Quorum quorum;
    private final String[] counted;
    private int acks;
    private int failures;

    public AckTally(Quorum quorum) {
        this.quorum = quorum;
        this.counted = new String[quorum.from()];
    }

    @Override
    public Verdict success(String replica) {
        if (isFirstOf(replica)) {
            acks++;
        }
        return verdict();
    }

    @Override
    public Verdict failure(String replica) {
        if (isFirstOf(replica)) {
            failures++;
        }
        return verdict();
    }

    @Override
    public Verdict verdict() {
        if (acks >= quorum.ack()) {
            return Verdict.REACHED;
        }
        return quorum.from() - failures < quorum.ack() ? Verdict.OUT_OF_REACH : Verdict.OPEN;
    }

    @Override
    public int acks() {
        return acks;
    }

    /** How many replicas were counted, either way. */
    public int counted() {
        return acks + failures;
    }

    @Override
    public boolean isCounted(String replica) {
        for (int i = 0; i < counted(); i++) {
            if (counted[i].equals(replica)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean canSpare(Collection<String> others) {
        return quorum.from() - failures - others.size() >= quorum.ack();
    }

    @Override
    public Quorum quorum() {
        return quorum;
    }

    // Counts replicas, not replies: a retry must not satisfy W twice.
    private boolean isFirstOf(String replica) {
        if (isCounted(replica)) {
            return false;
        }
        if (counted() == counted.length) {
            throw new IllegalStateException(replica + " is none of the replicas " + Arrays.toString(counted));
        }
        counted[counted()] = replica;
        return true;
    }
}
