package dev.kvorum.node.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Disk;
import dev.kvorum.topology.change.MemberReport.Former;
import dev.kvorum.topology.change.MemberReport.Transfer;
import dev.kvorum.topology.change.MemberReportJson;
import dev.kvorum.topology.change.PartitionSizes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** The peers' ports of nodes that follow topologies as real ones do, and whose transfers are done as soon as they are settled. */
final class ManualNodes implements AutoCloseable {
    static final int PARTITIONS = 16;
    static final long GIB = 1L << 30;

    private final Map<String, Node> nodes = new TreeMap<>();
    private final List<Consumer<Topology>> beforePublished = new CopyOnWriteArrayList<>();
    private final List<Consumer<Long>> beforeSettled = new CopyOnWriteArrayList<>();

    /** Nodes of these ids, of which the first {@code members} are the cluster at epoch 1. */
    ManualNodes(int members, String... ids) {
        Arrays.stream(ids).forEach(id -> nodes.put(id, new Node(id)));
        Topology first = new Topology(
                "demo",
                1,
                Math.min(3, members),
                PARTITIONS,
                Arrays.stream(ids).limit(members).map(this::member).toList());
        nodes.values().forEach(node -> node.start(first));
    }

    Member member(String id) {
        return node(id).member();
    }

    Node node(String id) {
        return Optional.ofNullable(nodes.get(id)).orElseThrow();
    }

    /** The option that names any of them. */
    String peer() {
        return "--peer=" + nodes.values().iterator().next().member().peer();
    }

    String add(String id) {
        Member member = member(id);
        return "--add=id=" + id + ",api=" + member.api() + ",peer=" + member.peer();
    }

    /** All go by that topology from now on. */
    void bringTo(Topology topology) {
        nodes.values().forEach(node -> node.membership().offer(topology));
    }

    Topology topology() {
        return nodes.values().iterator().next().membership().view().topology();
    }

    List<String> memberIds() {
        return topology().members().stream().map(Member::id).sorted().toList();
    }

    /** Something happens just before a node looks at what is published. */
    void beforePublished(Consumer<Topology> event) {
        beforePublished.add(event);
    }

    /** Something happens just before a node is told that all go by an epoch. */
    void beforeSettled(Consumer<Long> event) {
        beforeSettled.add(event);
    }

    @Override
    public void close() {
        nodes.values().forEach(Node::stop);
    }

    /** One node. */
    final class Node {
        private final String id;
        private final HttpServer server;
        private final UUID incarnation = UUID.randomUUID();
        private Optional<Membership> membership = Optional.empty();
        private volatile long settled;
        volatile int formerPending;
        volatile boolean knowsSizes = true;
        private volatile boolean silent;

        Node(String id) {
            this.id = id;
            try {
                server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Member member() {
            int port = server.getAddress().getPort();
            return new Member(
                    id,
                    URI.create("http://127.0.0.1:1"),
                    URI.create("http://127.0.0.1:" + port),
                    "default",
                    MemberState.ACTIVE,
                    1,
                    null);
        }

        Membership membership() {
            return membership.orElseThrow();
        }

        private void start(Topology first) {
            membership = Optional.of(new Membership(id, first));
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", this::answer);
            server.start();
        }

        void stop() {
            server.stop(0);
        }

        /** It answers nobody from now on. */
        void stopsAfterThis() {
            silent = true;
        }

        private void answer(HttpExchange exchange) throws IOException {
            try (exchange) {
                byte[] body = exchange.getRequestBody().readAllBytes();
                String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
                if (silent) {
                    return; // And the connection is closed.
                }
                Optional<byte[]> answer = answer(request, body);
                byte[] bytes = answer.orElse("{\"detail\": \"refused\"}".getBytes(StandardCharsets.UTF_8));
                exchange.sendResponseHeaders(answer.isPresent() ? 200 : 409, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        }

        private Optional<byte[]> answer(String request, byte[] body) {
            return switch (request) {
                case "GET /v0/topology" -> Optional.of(present());
                case "GET /v0/member" -> Optional.of(MemberReportJson.write(report()));
                case "GET /v0/sizes" -> knowsSizes ? Optional.of(sizes()) : Optional.empty();
                case "POST /v0/topology" -> published(TopologyJson.read(body));
                case "POST /replica/topology" -> {
                    membership().offer(TopologyJson.read(Arrays.copyOfRange(body, Long.BYTES, body.length)));
                    yield Optional.of(present());
                }
                case "POST /v0/settled" -> {
                    beforeSettled.forEach(
                            event -> event.accept(membership().view().epoch()));
                    settled = membership().view().epoch();
                    yield Optional.of(new byte[0]);
                }
                default -> Optional.empty();
            };
        }

        private Optional<byte[]> published(Topology topology) {
            beforePublished.forEach(event -> event.accept(topology));
            return membership().propose(topology).isEmpty() ? Optional.of(present()) : Optional.empty();
        }

        private byte[] present() {
            return TopologyJson.write(membership().view().topology());
        }

        private byte[] sizes() {
            long[] bytes = new long[PARTITIONS];
            Arrays.fill(bytes, 100);
            return MemberReportJson.write(new PartitionSizes(bytes, new long[PARTITIONS]));
        }

        private MemberReport report() {
            Topology present = membership().view().topology();
            boolean told = present.isChanging() && settled > 0;
            return new MemberReport(
                    id,
                    "demo",
                    PARTITIONS,
                    incarnation,
                    present.epoch(),
                    present.member(id).isPresent(),
                    0,
                    new Transfer(told, present.isChanging() ? 4 : 0, told ? 4 : 0, 0, 0, 0, 1000, ""),
                    new Former(formerPending, 0, ""),
                    new Disk(GIB, 0));
        }
    }

    /** Ids of all nodes. */
    List<String> ids() {
        return new ArrayList<>(nodes.keySet());
    }
}
