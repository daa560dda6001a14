package dev.kvorum.node.cluster;

import dev.kvorum.control.ControlClient;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReportJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Nodes as processes, and the commands that change the members. */
public final class ClusterProcesses implements AutoCloseable {
    public static final String AWAIT = "--kvorum.await-membership=true";

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Path directory;
    private final int partitions;
    private final List<NodeProcess> nodes;
    private final List<Command> commands = new ArrayList<>();

    /** @param size how many nodes there may be */
    public ClusterProcesses(Path directory, int partitions, int size) {
        this.directory = directory;
        this.partitions = partitions;
        this.nodes = IntStream.rangeClosed(1, size)
                .mapToObj(i -> new NodeProcess("n" + i, directory))
                .toList();
    }

    public List<NodeProcess> nodes() {
        return nodes;
    }

    private Member member(int index, MemberState state) {
        NodeProcess node = nodes.get(index);
        return new Member(
                node.id(),
                URI.create("http://127.0.0.1:" + node.apiPort()),
                URI.create("http://127.0.0.1:" + node.peerPort()),
                "zone",
                state,
                1,
                null);
    }

    /** The topology in which all nodes are members and these are in that state. */
    public Topology joint(List<Integer> changing, MemberState state) {
        List<Member> members = IntStream.range(0, nodes.size())
                .mapToObj(i -> member(i, changing.contains(i) ? state : MemberState.ACTIVE))
                .toList();
        return new Topology("processes", 1, 3, partitions, members);
    }

    /** Starts the first nodes as a cluster of so many. */
    public void start(int size, String... options) {
        List<Member> members = IntStream.range(0, size)
                .mapToObj(i -> member(i, MemberState.ACTIVE))
                .toList();
        try {
            Files.write(
                    directory.resolve("topology.json"),
                    TopologyJson.write(new Topology("processes", 1, 3, partitions, members)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        NodeProcess.startAll(nodes.subList(0, size), options);
        nodes.subList(0, size)
                .forEach(node -> Eventually.eventually(
                        "it has found the others",
                        () -> node.client().put("found", "", size + "/" + size).statusCode() == 201));
    }

    /** Starts nodes that are not members yet; returns when they answer. */
    public void awaitMembership(int first, int last, String... options) {
        List<String> all = new ArrayList<>(List.of(AWAIT));
        all.addAll(Arrays.asList(options));
        for (int i = first; i <= last; i++) {
            var _ = nodes.get(i).launch(all.toArray(String[]::new));
        }
        for (int i = first; i <= last; i++) {
            int node = i;
            Eventually.eventually("it answers: " + nodes.get(i).id(), NodeProcess.START_MAX, () -> answers(node));
        }
    }

    private boolean answers(int node) {
        try {
            return report(node).member().equals(nodes.get(node).id());
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** The option that adds a node. */
    public String add(int index) {
        Member member = member(index, MemberState.JOINING);
        return "--add=id=" + member.id() + ",api=" + member.api() + ",peer=" + member.peer() + ",zone=zone";
    }

    /** Gives a command and waits for its end. */
    public Command.Outcome command(String name, String... options) {
        return launch(name, options).outcome();
    }

    /** Gives a command. */
    public Command launch(String name, String... options) {
        Path output = directory.resolve("command-" + commands.size() + ".out");
        List<String> words = new ArrayList<>(
                List.of(name, "--node=http://127.0.0.1:" + nodes.getFirst().managementPort()));
        words.addAll(Arrays.asList(options));
        Command command = new Command(UnpackedNode.launch(output, words), output);
        commands.add(command);
        return command;
    }

    /** What a node reports. */
    public MemberReport report(int node) {
        return MemberReportJson.readReport(get(node, "/actuator/member"));
    }

    /** What the first node goes by. */
    public Topology topology() {
        return TopologyJson.read(get(0, "/actuator/topology"));
    }

    /** Publishes a topology as whoever changes the members does. */
    public void publish(Topology next) {
        try (ControlClient client = new ControlClient(Duration.ofSeconds(20))) {
            URI first = URI.create("http://127.0.0.1:" + nodes.getFirst().managementPort());
            var _ = client.node(first).publish(next);
        }
    }

    private byte[] get(int node, String path) {
        URI uri = URI.create("http://127.0.0.1:" + nodes.get(node).managementPort() + path);
        try {
            return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray())
                    .body();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public long epoch() {
        return topology().epoch();
    }

    public List<String> memberIds() {
        return topology().members().stream().map(Member::id).sorted().toList();
    }

    public UUID incarnationOf(String id) {
        return topology().member(id).flatMap(Member::knownIncarnation).orElseThrow();
    }

    public int verifiedOf(int node) {
        return report(node).transfer().verified();
    }

    public int rebuildingOf(int node) {
        return report(node).rebuilding();
    }

    /** Bytes that these nodes have pulled in the last change. */
    public double movedBytes(int... changed) {
        return Arrays.stream(changed).mapToLong(this::movedBytes).sum();
    }

    private long movedBytes(int node) {
        return (long) metric(node, "kvorum_transfer_bytes_total");
    }

    private double metric(int node, String name) {
        return nodes.get(node)
                .management("/actuator/prometheus")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    /** How many cells a node holds, as its trees say. */
    public long cellsOn(int node) {
        long cells = 0;
        for (int partition = 0; partition < partitions; partition++) {
            ByteBuffer call = ByteBuffer.allocate(2 + 2 + 8 + 8 + 2 + 8 + 2 + 2)
                    .putShort((short) partition)
                    .putShort((short) 0)
                    .putLong(Long.MAX_VALUE)
                    .putLong(Long.MIN_VALUE)
                    .putShort((short) 1)
                    .putLong(1)
                    .putShort((short) 0) // As if it were the first owner.
                    .putShort((short) 0);
            ByteBuffer reply = ByteBuffer.wrap(
                    ask(node, PeerOperation.REPAIR_TREE, call.array()).body());
            reply.position(2 + reply.getShort());
            cells += reply.getLong();
        }
        return cells;
    }

    /** Whether a node itself says that it does not have a key; false also if it refuses to say. */
    boolean saysAbsent(int node, String key) {
        return ask(node, PeerOperation.READ, key.getBytes(StandardCharsets.UTF_8))
                        .statusCode()
                == 404;
    }

    /** Calls a node as another member does, by its epoch. */
    public PeerCalls.Reply ask(int node, PeerOperation operation, byte[] rest) {
        byte[] body = PeerCalls.at(report(node).epoch(), rest);
        return PeerCalls.post(nodes.get(node).peerPort(), "", operation.code(), body);
    }

    @Override
    public void close() {
        commands.forEach(Command::kill); // Of a test that failed, one may be under way, or frozen.
        nodes.forEach(NodeProcess::close);
    }
}
