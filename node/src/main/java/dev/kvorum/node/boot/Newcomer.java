package dev.kvorum.node.boot;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.topology.Topology;
import java.util.Comparator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node whose directory has never seen a topology: the file that it was started with may be older than what the others go by, and that may say that this member has lost a disk. So
 * it asks before it serves anything. If nobody answers, as when a whole cluster is started, it goes by the file.
 */
final class Newcomer {
    private static final Logger LOG = LoggerFactory.getLogger(Newcomer.class);

    private Newcomer() {}

    /** Takes over the newest topology that any other member goes by. Blocks for some seconds at most. */
    static void catchUp(Membership membership, Witnesses witnesses) {
        ClusterView view = membership.view();
        witnesses.topologies(view).stream()
                .max(Comparator.comparingLong(Topology::epoch))
                .filter(newest -> newest.epoch() > view.epoch())
                .ifPresent(newest -> {
                    LOG.info("Other members go by epoch {}, the topology file has {}", newest.epoch(), view.epoch());
                    membership.offer(newest);
                });
    }
}
