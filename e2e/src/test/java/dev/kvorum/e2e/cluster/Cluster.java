package dev.kvorum.e2e.cluster;

import dev.kvorum.e2e.cluster.TopologyDocument.Member;
import dev.kvorum.e2e.record.Recorder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A cluster that runs. Closing removes its containers, volumes and network. */
public final class Cluster implements AutoCloseable {
    static final int PEER_PORT = 9090;

    private static final int PROXY_HOST = 100;
    private static final int ZONES = 3;
    /** What a node is started with that is no member yet. */
    private static final String WAITS = "kvorum.await-membership=true";

    private final ClusterSpec spec;
    private final String name;
    private final Path directory;
    private final Subnet subnet;
    private final List<Node> nodes;
    private final TopologyDocument topology;
    private final @Nullable PeerProxies proxies;
    private final Recorder recorder;

    private Cluster(ClusterSpec spec, String what) {
        this.spec = spec;
        name = Engine.freshName(what);
        directory = Engine.workDirectory().resolve(name);
        subnet = Subnet.create();
        topology = new TopologyDocument(directory.resolve("topology"));
        proxies = spec.proxied() ? new PeerProxies(subnet, PROXY_HOST) : null;
        nodes = IntStream.rangeClosed(1, spec.nodes() + spec.spares())
                .mapToObj(this::plan)
                .toList();
        recorder = new Recorder(directory.resolve("history.jsonl"));
    }

    /** A cluster that is not started: it has a network and volumes. */
    public static Cluster of(ClusterSpec spec, String what) {
        return new Cluster(spec, what);
    }

    /** Blocks until all nodes are ready. Once. */
    public void start() {
        if (proxies != null) {
            proxies.start(nodes);
        }
        List<Node> members = nodes.subList(0, spec.nodes());
        topology.write(
                name, spec.replicationFactor(), members.stream().map(this::line).toList());
        members.parallelStream().forEach(Node::create);
        members.forEach(Node::awaitReady);
    }

    private Node plan(int number) {
        String id = "n" + number;
        String volume = name + "-" + id;
        createVolume(volume);
        Map<Path, String> mounts = new LinkedHashMap<>(Map.of(topology.directory(), "/etc/kvorum"));
        Map<String, String> environment = new LinkedHashMap<>();
        if (spec.clocksCanSkew()) {
            NodeClock clock = NodeClock.prepare(clockDirectory(id));
            mounts.put(clock.directory(), NodeClock.MOUNTED);
            environment.putAll(clock.environment());
        }
        List<String> settings = new ArrayList<>(spec.settings());
        if (number > spec.nodes()) {
            settings.add(WAITS);
        }
        return new Node(
                number,
                new NodeContainer(
                        spec.image(),
                        id,
                        subnet.address(number),
                        subnet.network(),
                        volume,
                        spec.memoryMib(),
                        settings,
                        mounts,
                        environment,
                        spec.healthChecked()),
                directory.resolve(id + ".log"));
    }

    private void createVolume(String volume) {
        Engine.docker()
                .createVolumeCmd()
                .withName(volume)
                .withLabels(Engine.labels())
                .withDriverOpts(volumeOptions())
                .exec();
    }

    /** Gives a node that has no container an empty disk instead of its own. */
    public void renewVolume(Node node) {
        Engine.docker().removeVolumeCmd(node.volume()).exec();
        createVolume(node.volume());
        recorder.addWipe(node.id());
    }

    private Map<String, String> volumeOptions() {
        return spec.diskMib() == 0
                ? Map.of()
                : Map.of("type", "tmpfs", "device", "tmpfs", "o", "size=" + spec.diskMib() + "m,uid=10001,gid=10001");
    }

    public NodeClock clockOf(Node node) {
        return new NodeClock(clockDirectory(node.id()));
    }

    private Path clockDirectory(String id) {
        return directory.resolve("clock").resolve(id);
    }

    /** Those that are members from the start, in order. */
    public List<Node> nodes() {
        return nodes.subList(0, spec.nodes());
    }

    /** Those, and the spares. */
    public List<Node> nodesAndSpares() {
        return nodes;
    }

    /** @param number from 1 on */
    public Node node(int number) {
        return nodes.get(number - 1);
    }

    private Member line(Node node) {
        String peer = proxies == null ? node.peers().toString() : proxies.peerOf(node);
        return new Member(node.id(), node.api().toString(), peer, "z" + (node.number() - 1) % ZONES);
    }

    /** How the commands are told of a node that is to join. */
    public String optionToAdd(Node node) {
        return line(node).option();
    }

    /**
     * Runs one of the commands that change the members, until it has ended, and answers with what it said; fails where it did not do as asked.
     *
     * @param name as {@code start}
     * @param asked a member, whose management port it speaks to
     */
    public String command(String name, Node asked, List<String> options) {
        List<String> words = new ArrayList<>(List.of(name, "--node=" + asked.management()));
        words.addAll(options);
        return MemberCommand.run(subnet, words.toArray(String[]::new));
    }

    public PeerProxies proxies() {
        return Objects.requireNonNull(proxies, "the cluster is not behind proxies");
    }

    /** What clients saw. */
    public Recorder recorder() {
        return recorder;
    }

    public Path topologyFile() {
        return topology.file();
    }

    /** Blocks until all that have a container are ready. */
    public void awaitReady() {
        nodes.stream().filter(Node::exists).forEach(Node::awaitReady);
    }

    @Override
    public void close() {
        recorder.close();
        nodes.parallelStream().forEach(Node::remove);
        if (proxies != null) {
            proxies.close();
        }
        nodes.forEach(node -> Engine.docker().removeVolumeCmd(node.volume()).exec());
        subnet.close();
    }
}
