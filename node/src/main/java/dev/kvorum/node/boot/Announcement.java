package dev.kvorum.node.boot;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.topology.Member;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the other members that this one is there, once its port for them is open: those that have looked for it in vain may be in a pause before they
 * look again, and until then a write through them would count without this member, though it says that it is ready. Who is not reached needs
 * not be told: it has no pause to cut short, or ends it by itself within half a second.
 */
final class Announcement {
    private static final Logger LOG = LoggerFactory.getLogger(Announcement.class);

    private final Membership membership;
    private final PeerCalls calls;

    Announcement(Membership membership, PeerCalls calls) {
        this.membership = membership;
        this.calls = calls;
    }

    /** Returns at once; nobody waits for the answers. */
    void make() {
        ClusterView view = membership.view();
        byte[] self = view.self().getBytes(StandardCharsets.UTF_8);
        view.topology().members().stream()
                .filter(member -> !member.id().equals(view.self()))
                .forEach(member -> {
                    var _ = calls.call(member, PeerProtocol.HERE, view.epoch(), self)
                            .subscribe(reply -> heard(member, reply));
                });
    }

    private static void heard(Member member, CallReply reply) {
        if (reply instanceof ReplicaFailure failure) {
            LOG.debug("Member {} was not told that this one is there: {}", member.id(), failure.detail());
        }
    }
}
