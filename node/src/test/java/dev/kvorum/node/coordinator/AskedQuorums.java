package dev.kvorum.node.coordinator;

import dev.kvorum.node.quorum.Quorum;

/** What requests ask for. */
final class AskedQuorums {
    private AskedQuorums() {}

    /** All of it. */
    static AskedQuorum said(Quorum quorum) {
        return new AskedQuorum(quorum.ack(), quorum.from(), 0);
    }

    /** Nothing of it, where the policy is a majority. */
    static AskedQuorum unsaid() {
        return unsaid(0);
    }

    /** Nothing of it, where that is the policy. */
    static AskedQuorum unsaid(int ackPolicy) {
        return new AskedQuorum(QuorumPolicy.UNSAID, QuorumPolicy.UNSAID, ackPolicy);
    }
}
