package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.quorum.JointQuorum;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds who decides about a key: as many owners as the cluster keeps copies of a key unless a request says otherwise. All requests have to mean the same
 * ones, so none can say otherwise. Any thread.
 */
public final class Electorates {
    private final Membership membership;
    private final Acceptor acceptor;
    private final PeerCalls calls;

    /** @param acceptor that of this node */
    public Electorates(Membership membership, Acceptor acceptor, PeerCalls calls) {
        this.membership = membership;
        this.acceptor = acceptor;
        this.calls = calls;
    }

    /** By the epoch in force now. */
    Electorate of(Key key) {
        ClusterView view = membership.view();
        int from = view.fromDefault();
        List<Member> owners = view.owners(key, from);
        Quorum quorum = Quorum.majorityOf(from);
        List<Member> all = new ArrayList<>(owners);
        JointQuorum joint = view.others() == null ? null : join(view, key, quorum, all);
        List<Voter> voters = new ArrayList<>(all.size());
        for (Member member : all) {
            voters.add(voter(member));
        }
        return new Electorate(voters, quorum, joint, view.topology().replicationFactor(), view.epoch());
    }

    /** Adds the other owners. Null where they are the same. */
    private static @Nullable JointQuorum join(ClusterView view, Key key, Quorum quorum, List<Member> owners) {
        List<Member> others = view.otherOwners(key, view.otherFromDefault());
        List<String> ids = owners.stream().map(Member::id).toList();
        List<String> otherIds = others.stream().map(Member::id).toList();
        if (ids.size() == otherIds.size() && ids.containsAll(otherIds)) {
            return null;
        }
        others.stream().filter(other -> !ids.contains(other.id())).forEach(owners::add);
        return new JointQuorum(quorum, ids, Quorum.majorityOf(otherIds.size()), otherIds);
    }

    /**
     * Whether no round is decided without each of the present owners, as where there are two. Then the others know all that one may have accepted and forgotten, and are heard; and if
     * that kept silent where something open is to be settled, nothing could be, though it has to be before that one is rebuilt and may speak again.
     */
    static boolean needsAll(ClusterView view) {
        int from = view.fromDefault();
        return Quorum.majorityOf(from).ack() == from;
    }

    private Voter voter(Member member) {
        return member.id().equals(acceptor.member()) ? acceptor : new RemoteVoter(member, calls);
    }

    /** The id of this node. */
    String self() {
        return acceptor.member();
    }

    /** How many partitions there are, in all epochs. */
    int partitions() {
        return membership.view().topology().partitions();
    }

    /** The epoch in force now. */
    long epoch() {
        return membership.view().epoch();
    }

    /** By the epoch in force now, if it is newer than that of a former electorate; otherwise null. */
    @Nullable
    Electorate newerThan(Key key, Electorate former) {
        return epoch() > former.epoch() ? of(key) : null;
    }
}
