package dev.kvorum.node.coordinator;

import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.quorum.Quorum;
import java.util.function.Supplier;

/**
 * The quorum of a request: what it asks for, completed by the cluster's policy. {@code from} is the replication factor unless
 * told, {@code ack} the setting or else a majority of {@code from}.
 */
public final class QuorumPolicy {
    /** In a request: not said. */
    public static final int UNSAID = 0;

    private final Supplier<ClusterView> view;
    private final QuorumSettings settings;

    public QuorumPolicy(Membership membership, QuorumSettings settings) {
        this.view = membership::view;
        this.settings = settings;
    }

    /**
     * The quorum of a read.
     *
     * @param ack at least 1, or {@link #UNSAID}
     * @param from at least 1, or {@link #UNSAID}
     * @throws InvalidQuorumException if there are not so many members, or {@code ack} is more than {@code from}
     */
    public Quorum forRead(int ack, int from) {
        return complete(ack, from, settings.readAck());
    }

    /** The quorum of a write; as {@link #forRead}. */
    public Quorum forWrite(int ack, int from) {
        return complete(ack, from, settings.writeAck());
    }

    private Quorum complete(int ack, int from, int ackPolicy) {
        ClusterView now = view.get();
        int asked = from == UNSAID ? now.fromDefault() : from;
        if (asked > now.ownerCount()) {
            throw new InvalidQuorumException(
                    "from is " + asked + ", but the cluster has " + now.ownerCount() + " members that hold data");
        }
        if (ack > asked) {
            throw new InvalidQuorumException("ack is " + ack + ", but must be at most from, which is " + asked
                    + (from == UNSAID ? " where the request does not say it" : ""));
        }
        if (ack != UNSAID) {
            return new Quorum(ack, asked);
        }
        return ackPolicy == 0 ? Quorum.majorityOf(asked) : new Quorum(Math.min(ackPolicy, asked), asked);
    }
}
