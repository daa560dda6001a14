package dev.kvorum.operator.node;

import dev.kvorum.control.ControlClient;
import dev.kvorum.control.ControlException;
import dev.kvorum.control.NodeControl;
import dev.kvorum.control.Settled;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks nodes over their management ports. Any thread.
 *
 * <p>A node costs 3 s and 4 MiB at most, whatever it answers: one that is sick, or hostile, keeps the operator from no other node.
 */
public final class HttpNodes implements ClusterNodes, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpNodes.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final ControlClient client = new ControlClient(TIMEOUT);
    private final Function<Member, URI> management;

    /** Asks pods: their topology names no management port, which is the same for all. */
    public HttpNodes() {
        this(member -> URI.create("http://" + member.peer().getHost() + ":" + ClusterName.MANAGEMENT_PORT));
    }

    /** @param management where a member's management port is */
    HttpNodes(Function<Member, URI> management) {
        this.management = management;
    }

    @Override
    public Optional<MemberReport> report(Member member) {
        return ask(member, NodeControl::report);
    }

    @Override
    public Optional<Topology> topology(Member member) {
        return ask(member, NodeControl::topology);
    }

    @Override
    public Optional<PartitionSizes> sizes(Member member) {
        return ask(member, NodeControl::sizes);
    }

    private <T> Optional<T> ask(Member member, Function<NodeControl, T> question) {
        try {
            return Optional.of(question.apply(node(member)));
        } catch (ControlException e) {
            LOG.debug("{} could not be asked: {}", member.id(), e.getMessage());
            return Optional.empty();
        }
    }

    /** As members send it to each other: a node may have missed some. It answers what it goes by then, which is another where it could not follow. */
    @Override
    public Answer push(Member member, Topology topology) {
        return tell(member, node -> {
            Topology present = node.offer(topology);
            return present.equals(topology) || present.epoch() > topology.epoch()
                    ? new Answer.Done()
                    : new Answer.Refused("it goes by another topology, of epoch " + present.epoch()
                            + ", which that of epoch " + topology.epoch() + " can't follow");
        });
    }

    @Override
    public Answer settle(Member member, long epoch, List<String> gone) {
        return tell(member, node -> {
            node.settle(new Settled(epoch, Set.copyOf(gone)));
            return new Answer.Done();
        });
    }

    private Answer tell(Member member, Function<NodeControl, Answer> request) {
        try {
            return request.apply(node(member));
        } catch (ControlException e) {
            String reason = String.valueOf(e.getMessage());
            return e.isRefusal() ? new Answer.Refused(reason) : new Answer.Unreachable(reason);
        }
    }

    private NodeControl node(Member member) {
        return client.node(management.apply(member));
    }

    @Override
    public void close() {
        client.close();
    }
}
