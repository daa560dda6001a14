package dev.kvorum.node.quorum;

import dev.kvorum.node.quorum.AckTally.Verdict;
import java.util.Collection;

/** Counts the replicas of one request that succeeded and that failed. Not thread-safe: replies come one at a time. */
public sealed interface Tally permits AckTally, JointTally {
    /** Counts a success of that replica, unless the replica was counted before. */
    Verdict success(String replica);

    /** Counts a failure of that replica, unless the replica was counted before. */
    Verdict failure(String replica);

    Verdict verdict();

    /** How many replicas have succeeded, in the sense of {@link #quorum()}. */
    int acks();

    /** Whether that replica was counted, either way. */
    boolean isCounted(String replica);

    /** Whether an open verdict would stay open if those replicas, none of which was counted yet, failed as well. */
    boolean canSpare(Collection<String> others);

    /** What the request asked for. */
    Quorum quorum();
}
