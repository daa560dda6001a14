package dev.kvorum.node.cluster;

import static dev.kvorum.node.cluster.Eventually.eventually;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Partitioning;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.IntStream;

/** Real nodes in this process that form a cluster; each stands behind a proxy that can hold its peers back. */
public final class TestCluster implements AutoCloseable {
    private final Path topologyFile;
    private final List<TestNode> nodes;
    private Topology topology;

    private TestCluster(Path directory, int size, List<String> settings) {
        this.topologyFile = directory.resolve("topology.json");
        this.nodes = IntStream.rangeClosed(1, size)
                .mapToObj(i -> new TestNode("n" + i, directory.resolve("n" + i), topologyFile, settings))
                .toList();
        this.topology = new Topology(
                "test", 1, 3, 256, nodes.stream().map(TestCluster::member).toList());
        publish(topology);
    }

    private static Member member(TestNode node) {
        return new Member(
                node.id(),
                URI.create("http://127.0.0.1:" + node.apiPort()),
                URI.create("http://127.0.0.1:" + node.advertisedPeerPort()),
                "zone",
                MemberState.ACTIVE,
                1,
                null);
    }

    /** A running cluster of so many nodes. */
    public static TestCluster start(Path directory, int size, String... settings) {
        TestCluster cluster = new TestCluster(directory, size, List.of(settings));
        cluster.startAll();
        return cluster;
    }

    /**
     * Starts a node that was stopped, and returns when the others have found it.
     *
     * @param more options of this run alone
     */
    public void start(TestNode node, String... more) {
        node.start(more);
        settle();
    }

    /** Starts all nodes that are stopped. */
    public void startAll() {
        nodes.stream().filter(node -> !node.isRunning()).forEach(TestNode::start);
        settle();
    }

    /** Over frames a member that was gone is tried again after a pause. */
    private void settle() {
        List<TestNode> running = nodes.stream().filter(TestNode::isRunning).toList();
        running.forEach(node ->
                eventually(node.id() + " has found the others", () -> node.connections() >= running.size() - 1));
    }

    public List<TestNode> nodes() {
        return nodes;
    }

    public TestNode node(int index) {
        return nodes.get(index);
    }

    public Topology topology() {
        return topology;
    }

    public Path topologyFile() {
        return topologyFile;
    }

    /** The nodes that hold a key, in order. */
    public List<TestNode> replicasOf(String key, int from) {
        int partition = new Partitioning(topology.partitions()).partitionOf(key.getBytes(StandardCharsets.UTF_8));
        return Placement.current(topology).owners(partition, from).stream()
                .map(member -> nodes.stream()
                        .filter(node -> node.id().equals(member.id()))
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    /** The nodes that do not hold a key. */
    public List<TestNode> othersThan(List<TestNode> some) {
        return nodes.stream().filter(node -> !some.contains(node)).toList();
    }

    /** Replaces the topology file at once. */
    public void publish(Topology next) {
        topology = next;
        publish(TopologyJson.write(next));
    }

    /** Replaces the topology file by anything. */
    public void publish(byte[] content) {
        try {
            Path fresh = topologyFile.resolveSibling("topology.json.new");
            Files.write(fresh, content);
            Files.move(fresh, topologyFile, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        nodes.forEach(TestNode::close);
    }
}
