package dev.kvorum.node.command;

import dev.kvorum.control.ClusterReport;
import dev.kvorum.control.ControlClient;
import dev.kvorum.control.ControlException;
import dev.kvorum.control.NodeControl;
import dev.kvorum.control.Peer;
import dev.kvorum.control.Settled;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.PartitionSizes;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A cluster, through the first of some nodes that answers. Blocks; all methods throw {@link ControlException} where that node refuses, or none answers. One thread.
 */
final class AnyNode implements AutoCloseable {
    private static final Duration TIMEOUT =
            Duration.ofSeconds(20); // The node asks members up to four times, each for 3 s.

    private final ControlClient client = new ControlClient(TIMEOUT);
    private final List<NodeControl> nodes;
    private int last; // Answered.

    /** @param nodes addresses of management ports, at least one */
    AnyNode(List<URI> nodes) {
        this.nodes = nodes.stream().map(client::node).toList();
    }

    /**
     * What all members say.
     *
     * @param others are asked as well
     * @param former members that have left are asked as well
     */
    ClusterReport observe(Collection<Member> others, Collection<Member> former) {
        return ask(node -> node.observe(peers(others), peers(former)));
    }

    private static List<Peer> peers(Collection<Member> members) {
        return members.stream().map(Peer::of).toList();
    }

    Map<String, PartitionSizes> sizes() {
        return ask(NodeControl::sizesOfAll);
    }

    void publish(Topology next, Set<String> gone) {
        var _ = ask(node -> {
            node.publishToAll(next, gone);
            return true;
        });
    }

    void settle(Settled settled, Collection<Member> members) {
        List<String> ids = members.stream().map(Member::id).toList();
        var _ = ask(node -> {
            node.settleAll(settled, ids);
            return true;
        });
    }

    private <T> T ask(Function<NodeControl, T> question) {
        for (int tries = 1; ; tries++) {
            try {
                return question.apply(nodes.get(last));
            } catch (ControlException e) {
                if (e.isRefusal() || tries == nodes.size()) {
                    throw e;
                }
                last = (last + 1) % nodes.size();
            }
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
