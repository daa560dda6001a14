package dev.kvorum.load.cluster;

import dev.kvorum.control.ControlClient;
import dev.kvorum.control.ControlException;
import dev.kvorum.topology.change.MemberReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Nodes on this machine, each a process of its own. Closing it ends them and removes their data. */
public final class LocalCluster implements AutoCloseable {
    private static final Duration READY_MAX = Duration.ofMinutes(5);
    private static final Duration STOP_MAX = Duration.ofSeconds(8);
    private static final Duration CONTROL_MAX = Duration.ofSeconds(2);
    private static final int ZONES = 3;
    private static final String TOPOLOGY = "topology.json";

    private final List<NodeProcess> nodes = new CopyOnWriteArrayList<>();
    private final List<NodeProcess> spares = new CopyOnWriteArrayList<>();
    private final ClusterLaunch launch;
    private final Map<String, DelayProxy> proxies;
    private final Path data;

    /** Ctrl-C must not leave nodes behind. */
    private final Thread hook = new Thread(this::endProcesses, "cluster-end");

    private final HttpClient http;
    private final ControlClient control = new ControlClient(CONTROL_MAX);
    private boolean ended;
    private int started;

    private LocalCluster(Map<String, DelayProxy> proxies, ClusterLaunch launch, HttpClient http) {
        this.proxies = proxies;
        this.launch = launch;
        this.data = launch.folders().data();
        this.http = http;
    }

    /** Starts the nodes, and returns when all are ready. */
    public static LocalCluster start(ClusterLaunch launch) throws IOException, InterruptedException {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        List<Integer> ports = Ports.free(3 * launch.shape().processes());
        Map<String, DelayProxy> proxies = new TreeMap<>();
        for (int number : launch.shape().proxied()) {
            proxies.put(id(number), DelayProxy.before(ports.get(3 * (number - 1) + 1)));
        }
        Files.writeString(launch.folders().data().resolve(TOPOLOGY), topology(launch, ports, proxies));
        Files.createDirectories(launch.folders().logs());
        LocalCluster cluster = new LocalCluster(proxies, launch, http);
        // Before the first node, and refused while this process ends: whatever is started is also ended.
        Runtime.getRuntime().addShutdownHook(cluster.hook);
        try {
            for (int i = 0; i < launch.shape().nodes(); i++) {
                var _ = cluster.startNode(cluster.nodes, ports.subList(3 * i, 3 * i + 3));
            }
            cluster.awaitReady();
            for (int i = launch.shape().nodes(); i < launch.shape().processes(); i++) {
                var _ = cluster.startNode(cluster.spares, ports.subList(3 * i, 3 * i + 3));
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    private synchronized NodeProcess startNode(List<NodeProcess> among, List<Integer> ports) throws IOException {
        if (ended) {
            throw new IOException("The bench is being ended.");
        }
        started++;
        String id = id(started);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(launch.jvmOf(id));
        command.addAll(List.of("-jar", launch.program().jar().toString()));
        command.addAll(List.of(
                "--kvorum.node-id=" + id,
                "--kvorum.data-dir=" + data.resolve(id),
                "--kvorum.topology-file=" + data.resolve(TOPOLOGY),
                "--kvorum.await-membership=true",
                "--server.address=127.0.0.1",
                "--server.port=" + ports.get(0),
                "--kvorum.peer-address=127.0.0.1",
                "--kvorum.peer-port=" + ports.get(1),
                "--management.server.address=127.0.0.1",
                "--management.server.port=" + ports.get(2)));
        launch.program().settings().forEach((name, value) -> command.add("--" + name + "=" + value));
        Path log = launch.folders().logs().resolve(id + ".log");
        NodeLaunch start =
                new NodeLaunch(id, command, launch.program().environment().of(id), log);
        NodeProcess node =
                new NodeProcess(start, ports.get(0), ports.get(1), new ManagementPort(id, http, ports.get(2)));
        among.add(node);
        return node;
    }

    private static String id(int number) {
        return "n" + number;
    }

    /** The zone of a node: they take turns. */
    static String zoneOf(NodeProcess node) {
        return zone(Integer.parseInt(node.id().substring(1)));
    }

    /** The same by its number, from 1. */
    static String zone(int number) {
        return "z" + ((number - 1) % ZONES + 1);
    }

    /** Starts a further node under an id that none has had, which waits to be made a member; does not wait for it. */
    public NodeProcess add() throws IOException {
        return startNode(nodes, Ports.free(3));
    }

    /** Ends a node that is no member any more, for good. */
    public void remove(NodeProcess node) throws InterruptedException {
        node.stop();
        nodes.remove(node);
    }

    /** Starts a node again that has ended, or is about to; does not wait until it serves. */
    public synchronized void restart(NodeProcess node) throws IOException, InterruptedException {
        if (ended) {
            throw new IOException("The bench is being ended.");
        }
        node.restart();
    }

    /** The folder of the nodes' logs. */
    public Path logs() {
        return launch.folders().logs();
    }

    /** Commands that change the members; what they say is in {@code scaling.log}. */
    public ChangeCommand commands() {
        return new ChangeCommand(launch.program().jar(), launch.folders().logs().resolve("scaling.log"));
    }

    private static String topology(ClusterLaunch launch, List<Integer> ports, Map<String, DelayProxy> proxies) {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < launch.shape().nodes(); i++) {
            int index = i;
            DelayProxy proxy = proxies.get(id(i + 1));
            int peerPort = proxy == null ? ports.get(3 * index + 1) : proxy.port();
            members.add("""
                    {"id": "n%d", "api": "http://127.0.0.1:%d", "peer": "http://127.0.0.1:%d", "zone": "%s", "state": "ACTIVE"}""".formatted(i + 1, ports.get(3 * index), peerPort, zone(i + 1)));
        }
        return """
                {"cluster": "load", "epoch": 1, "replicationFactor": %d, "partitions": %d, "members": [
                %s
                ]}
                """.formatted(
                        launch.shape().replicationFactor(), launch.shape().partitions(), String.join(",\n", members));
    }

    private void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + READY_MAX.toNanos();
        for (NodeProcess node : nodes) {
            node.awaitReady(Duration.ofNanos(deadline - System.nanoTime()));
        }
    }

    public List<NodeProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** By the newest topology that any of its nodes tells of. */
    public KnownMembers members() throws InterruptedException {
        return KnownMembers.of(control, nodes);
    }

    /** As one of its nodes tells. */
    public KnownMembers membersToldBy(NodeProcess node) throws InterruptedException {
        return KnownMembers.of(control, List.of(node));
    }

    /** Those that run and were no members when the cluster was started. */
    public List<NodeProcess> spares() {
        return List.copyOf(spares);
    }

    /** @param number from 1 */
    public NodeProcess node(int number) {
        return nodes.get(number - 1);
    }

    public List<URI> apis() {
        return nodes.stream().map(NodeProcess::api).toList();
    }

    /** In front of the peer port of the node that was to be delayed. */
    public Optional<DelayProxy> proxy() {
        return proxies.values().stream().findFirst();
    }

    /** Those in front of peer ports, by the ids of their nodes: other members know the node by the address of its proxy. */
    public Map<String, DelayProxy> proxies() {
        return Map.copyOf(proxies);
    }

    /** What a node says of itself; empty if it does not answer. */
    public Optional<MemberReport> report(NodeProcess node) throws InterruptedException {
        try {
            return Optional.of(control.node(node.management().uri()).report());
        } catch (ControlException _) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return Optional.empty();
        }
    }

    /** The directory of a node's data. */
    public Path dataOf(NodeProcess node) {
        return data.resolve(node.id());
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // This process is ending, and the hook at work.
        }
        endProcesses();
    }

    /** By whoever comes first: the bench, or the end of its process. */
    private synchronized void endProcesses() {
        if (ended) {
            return;
        }
        ended = true;
        control.close();
        List<NodeProcess> all = Stream.concat(nodes.stream(), spares.stream()).toList();
        all.forEach(NodeProcess::askToStop);
        try {
            long deadline = System.nanoTime() + STOP_MAX.toNanos(); // Of all together: a terminal waits for it.
            for (NodeProcess node : all) {
                var _ = node.awaitStop(Duration.ofNanos(deadline - System.nanoTime()));
            }
        } catch (InterruptedException _) {
            all.forEach(NodeProcess::kill);
            Thread.currentThread().interrupt();
        }
        proxies.values().forEach(DelayProxy::close);
        http.close();
        if (!launch.folders().keepData()) {
            remove(data);
        }
    }

    private static void remove(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("The data in " + directory + " could not be removed: " + e);
        }
    }
}
