package dev.kvorum.control;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReportJson;
import dev.kvorum.topology.change.PartitionSizes;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The control interface of one node: for itself, and for its cluster, whose members it asks. All methods block, and throw {@link ControlException} where the node
 * refuses, or can't be asked. They may be repeated: a node does the same again. Any thread.
 */
public final class NodeControl {
    /** What a topology, the report of a member and the sizes of 65,536 partitions have at most, each. */
    private static final int OF_ONE_MEMBER = 4 << 20;

    private final ControlClient client;
    private final URI management;

    NodeControl(ControlClient client, URI management) {
        this.client = client;
        this.management = management;
    }

    /** The topology that it goes by. */
    public Topology topology() {
        return topology(get("/actuator/topology", OF_ONE_MEMBER));
    }

    /** Gives it the topology that follows the one that it goes by, and answers what it goes by then. */
    public Topology publish(Topology next) {
        return topology(post("/actuator/topology", Map.of("topology", ControlJson.text(next))));
    }

    /**
     * Gives it a topology that other members go by. It may have missed some before that.
     *
     * @return the one that it goes by then: a newer one, or another where it could not follow
     */
    public Topology offer(Topology newest) {
        return topology(post("/actuator/topology/offer", Map.of("topology", ControlJson.text(newest))));
    }

    /** What it says of itself. */
    public MemberReport report() {
        return read("/actuator/member", get("/actuator/member", OF_ONE_MEMBER), MemberReportJson::readReport);
    }

    /** How much it holds, by partition. */
    public PartitionSizes sizes() {
        String path = "/actuator/member/sizes";
        return read(path, get(path, OF_ONE_MEMBER), MemberReportJson::readSizes);
    }

    /** Tells it that it may pull data. */
    public void settle(Settled settled) {
        var _ = post("/actuator/member/settled", parameters(settled));
    }

    /**
     * What all members say of themselves. Those behind the newest topology get it.
     *
     * @param others nodes that are asked as well, and told nothing
     * @param former members that have left: they are asked as well, and get the newest topology
     */
    public ClusterReport observe(Collection<Peer> others, Collection<Peer> former) {
        String path = "/actuator/cluster?others=" + parameter(others) + "&former=" + parameter(former);
        return read(path, get(path, Integer.MAX_VALUE), ControlJson::readClusterReport);
    }

    private static String parameter(Collection<Peer> peers) {
        return URLEncoder.encode(Peer.write(peers), StandardCharsets.UTF_8);
    }

    /** How much each member holds. Those that don't answer are missing. */
    public Map<String, PartitionSizes> sizesOfAll() {
        String path = "/actuator/cluster/sizes";
        return read(path, get(path, Integer.MAX_VALUE), ControlJson::readSizes);
    }

    /**
     * Publishes the topology that follows the newest one: to the same member first, whichever node is asked, so that one of two that are published at the same time is
     * refused; then to all others.
     *
     * @param gone ids of members that are not asked
     */
    public void publishToAll(Topology next, Set<String> gone) {
        var _ = post(
                "/actuator/cluster/topology",
                Map.of("topology", ControlJson.text(next), "gone", String.join(",", gone)));
    }

    /** Tells these members that they may pull data. One that does not answer has to be told again. */
    public void settleAll(Settled settled, Collection<String> members) {
        Map<String, String> parameters = new HashMap<>(parameters(settled));
        parameters.put("members", String.join(",", members));
        var _ = post("/actuator/cluster/settled", parameters);
    }

    private static Map<String, String> parameters(Settled settled) {
        return Map.of("epoch", Long.toString(settled.epoch()), "gone", String.join(",", settled.gone()));
    }

    private Topology topology(byte[] json) {
        return read("/actuator/topology", json, TopologyJson::read);
    }

    private <T> T read(String path, byte[] json, Function<byte[], T> read) {
        try {
            return read.apply(json);
        } catch (InvalidTopologyException | IllegalArgumentException e) {
            throw new ControlException(
                    management.resolve(path) + " is not what a node answers: " + e.getMessage(),
                    ControlException.UNREACHABLE);
        }
    }

    private byte[] get(String path, int bytesMax) {
        return client.send(
                HttpRequest.newBuilder(management.resolve(path)).GET().build(), bytesMax);
    }

    private byte[] post(String path, Map<String, String> parameters) {
        HttpRequest request = HttpRequest.newBuilder(management.resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(ControlJson.parameters(parameters)))
                .build();
        return client.send(request, OF_ONE_MEMBER);
    }
}
