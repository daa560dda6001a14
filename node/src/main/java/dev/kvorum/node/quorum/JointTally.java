package dev.kvorum.node.quorum;

import dev.kvorum.node.quorum.AckTally.Verdict;
import java.util.Collection;
import java.util.List;

/** Counts replicas against two quorums at once: reached when both are, out of reach as soon as either is. Not thread-safe. */
public final class JointTally implements Tally {
    private final JointQuorum joint;
    private final AckTally tally;
    private final AckTally otherTally;

    public JointTally(JointQuorum joint) {
        this.joint = joint;
        this.tally = new AckTally(joint.quorum());
        this.otherTally = new AckTally(joint.otherQuorum());
    }

    @Override
    public Verdict success(String replica) {
        if (isAmong(joint.replicas(), replica)) {
            tally.success(replica);
        }
        if (isAmong(joint.otherReplicas(), replica)) {
            otherTally.success(replica);
        }
        return verdict();
    }

    @Override
    public Verdict failure(String replica) {
        if (isAmong(joint.replicas(), replica)) {
            tally.failure(replica);
        }
        if (isAmong(joint.otherReplicas(), replica)) {
            otherTally.failure(replica);
        }
        return verdict();
    }

    private static boolean isAmong(List<String> replicas, String replica) {
        return replicas.contains(replica);
    }

    @Override
    public Verdict verdict() {
        Verdict one = tally.verdict();
        Verdict other = otherTally.verdict();
        if (one == Verdict.OUT_OF_REACH || other == Verdict.OUT_OF_REACH) {
            return Verdict.OUT_OF_REACH;
        }
        return one == Verdict.REACHED && other == Verdict.REACHED ? Verdict.REACHED : Verdict.OPEN;
    }

    @Override
    public boolean canSpare(Collection<String> others) {
        return tally.canSpare(among(joint.replicas(), others))
                && otherTally.canSpare(among(joint.otherReplicas(), others));
    }

    private static List<String> among(List<String> replicas, Collection<String> others) {
        return others.stream().filter(other -> isAmong(replicas, other)).toList();
    }

    /** Of the two quorums the one that has fewer: a receipt must not promise more than holds after the change. */
    @Override
    public int acks() {
        return Math.min(tally.acks(), otherTally.acks());
    }

    @Override
    public boolean isCounted(String replica) {
        return tally.isCounted(replica) || otherTally.isCounted(replica);
    }

    @Override
    public Quorum quorum() {
        return joint.quorum();
    }
}
