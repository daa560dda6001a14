package dev.kvorum.node.coordinator;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.quorum.Quorum;
import java.util.Optional;

/**
 * The quorum of a request as far as it says it. What it leaves out is the cluster's policy, and depends on the members: it is completed by those who are there when the
 * request is planned, and again when it is planned anew.
 *
 * @param ack at least 1, or {@link QuorumPolicy#UNSAID}: then what the policy says
 * @param from at least 1, or {@link QuorumPolicy#UNSAID}: then the replication factor, or all owners while there are fewer
 * @param ackPolicy how many must answer where the request does not say it, as far as there are so many; 0 for a majority
 */
public record AskedQuorum(int ack, int from, int ackPolicy) {
    /** Why the owners that reads ask in that view can't answer it, in words; empty if they can. */
    Optional<String> refusal(ClusterView view) {
        int asked = from(view.fromDefault());
        if (asked > view.ownerCount()) {
            return Optional.of(
                    "from is " + asked + ", but the cluster has " + view.ownerCount() + " members that hold data");
        }
        if (ack > asked) {
            return Optional.of("ack is " + ack + ", but must be at most from, which is " + asked
                    + (from == QuorumPolicy.UNSAID ? " where the request does not say it" : ""));
        }
        return Optional.empty();
    }

    /**
     * This, if those owners can answer it.
     *
     * @throws InvalidQuorumException if not, with the reason
     */
    AskedQuorum checked(ClusterView view) {
        refusal(view).ifPresent(reason -> {
            throw new InvalidQuorumException(reason);
        });
        return this;
    }

    /** Among the owners that reads ask, where they don't {@linkplain #refusal refuse} it. */
    Quorum of(ClusterView view) {
        return complete(from(view.fromDefault()));
    }

    /** Among those that writes need besides while members change: as many, or all of fewer, and of these as many. */
    Quorum ofOthers(ClusterView view) {
        return complete(Math.min(from(view.otherFromDefault()), view.otherCount()));
    }

    /**
     * How many copies of a key a write asks for. Where it does not say so these are as many as the factor, though there be fewer owners: those that join are to be given theirs.
     */
    int copies(ClusterView view) {
        return from(view.topology().replicationFactor());
    }

    private int from(int unsaid) {
        return from == QuorumPolicy.UNSAID ? unsaid : from;
    }

    private Quorum complete(int from) {
        if (ack != QuorumPolicy.UNSAID) {
            return new Quorum(Math.min(ack, from), from);
        }
        return ackPolicy == 0 ? Quorum.majorityOf(from) : new Quorum(Math.min(ackPolicy, from), from);
    }
}
