package dev.kvorum.node.quorum;

import java.util.List;

/**
 * Two quorums that a write needs both, while the replicas of its key change: of those whom reads ask now, and of the others.
 *
 * <p>Source: Ongaro and Ousterhout, "In search of an understandable consensus algorithm" (2014), section 6: joint consensus.
 *
 * @param quorum what the request asked for
 * @param replicas as many as {@code quorum.from()}
 * @param otherQuorum what that comes to among the others
 * @param otherReplicas as many as {@code otherQuorum.from()}; they and {@code replicas} may overlap
 */
public record JointQuorum(Quorum quorum, List<String> replicas, Quorum otherQuorum, List<String> otherReplicas) {
    public JointQuorum {
        replicas = List.copyOf(replicas);
        otherReplicas = List.copyOf(otherReplicas);
        if (replicas.size() != quorum.from() || otherReplicas.size() != otherQuorum.from()) {
            throw new IllegalArgumentException(
                    quorum + " of " + replicas + " and " + otherQuorum + " of " + otherReplicas);
        }
    }
}
