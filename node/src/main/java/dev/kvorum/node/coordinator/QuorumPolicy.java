package dev.kvorum.node.coordinator;

import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import java.util.function.Supplier;

/**
 * The quorum of a request: what it asks for, to be completed by the cluster's policy. {@code from} is the replication factor unless
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
    public AskedQuorum forRead(int ack, int from) {
        return new AskedQuorum(ack, from, settings.readAck()).checked(view.get());
    }

    /** The quorum of a write; as {@link #forRead}. */
    public AskedQuorum forWrite(int ack, int from) {
        return new AskedQuorum(ack, from, settings.writeAck()).checked(view.get());
    }
}
