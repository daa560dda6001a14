package dev.kvorum.node.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kvorum.control.ControlJson;
import dev.kvorum.control.Peer;
import dev.kvorum.control.Settled;
import dev.kvorum.node.control.ClusterControl;
import dev.kvorum.node.control.Inquiry;
import dev.kvorum.node.control.UnpublishedException;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Disk;
import dev.kvorum.topology.change.MemberReport.Former;
import dev.kvorum.topology.change.MemberReport.Identity;
import dev.kvorum.topology.change.MemberReport.Life;
import dev.kvorum.topology.change.MemberReport.Standing;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Nodes that follow topologies as real ones do, and whose transfers are done as soon as they are settled. The control interface of the first one is served on a port; what it asks
 * the others for is done at once.
 */
final class ManualNodes implements AutoCloseable {
    static final int PARTITIONS = 16;
    static final long GIB = 1L << 30;

    private final HttpServer server = server();
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
        Node asked = nodes.values().iterator().next();
        ClusterControl control = new ClusterControl(asked.membership(), asked.exchange(), Asking::new);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/actuator/cluster", exchange -> answer(exchange, control));
        server.start();
    }

    private static HttpServer server() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(HttpExchange exchange, ClusterControl control) throws IOException {
        try (exchange) {
            int status = 200;
            byte[] body;
            try {
                body = answer(
                        exchange.getRequestURI(), exchange.getRequestBody().readAllBytes(), control);
            } catch (UnpublishedException e) {
                status = e.isRefused() ? 409 : 503;
                body = "{\"detail\": \"refused \\u001b[2J\"}".getBytes(StandardCharsets.UTF_8);
            }
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] answer(URI asked, byte[] sent, ClusterControl control) {
        JsonNode parameters =
                new JsonMapper().readTree(sent.length == 0 ? "{}".getBytes(StandardCharsets.UTF_8) : sent);
        Set<String> gone = ids(parameters, "gone");
        return switch (asked.getPath()) {
            case "/actuator/cluster" ->
                Objects.requireNonNull(control.observe(peers(asked, "others"), peers(asked, "former"))
                        .map(ControlJson::write)
                        .block());
            case "/actuator/cluster/sizes" ->
                Objects.requireNonNull(
                        control.sizes().map(ControlJson::writeSizes).block());
            case "/actuator/cluster/topology" -> {
                byte[] topology = parameters.path("topology").asString().getBytes(StandardCharsets.UTF_8);
                control.publish(TopologyJson.read(topology), gone).block();
                yield new byte[0];
            }
            case "/actuator/cluster/settled" -> {
                Settled settled =
                        new Settled(Long.parseLong(parameters.path("epoch").asString()), gone);
                control.settle(settled, ids(parameters, "members")).block();
                yield new byte[0];
            }
            default -> throw new IllegalArgumentException(asked.toString());
        };
    }

    private static List<Peer> peers(URI asked, String name) {
        return Arrays.stream(asked.getQuery().split("&"))
                .filter(parameter -> parameter.startsWith(name + "="))
                .flatMap(parameter -> Peer.read(parameter.substring(name.length() + 1)).stream())
                .toList();
    }

    private static Set<String> ids(JsonNode parameters, String name) {
        String ids = parameters.path(name).asString("");
        return ids.isEmpty() ? Set.of() : Set.of(ids.split(","));
    }

    /** Asks these nodes without a network. */
    private final class Asking implements Inquiry {
        @Override
        public Mono<CallReply> call(Peer peer, PeerOperation operation, long epoch, byte[] body) {
            return Mono.fromSupplier(() -> nodes.values().stream()
                    .filter(node -> node.member().peer().equals(peer.peer()))
                    .findFirst()
                    .orElseThrow()
                    .answer(operation, body));
        }

        @Override
        public void close() {}
    }

    Member member(String id) {
        return node(id).member();
    }

    Node node(String id) {
        return Optional.ofNullable(nodes.get(id)).orElseThrow();
    }

    /** The option that names the node that is asked. */
    String node() {
        return "--node=http://127.0.0.1:" + server.getAddress().getPort();
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

    /** All are told that all go by the change, and that nobody is gone. */
    void settle() {
        nodes.values().forEach(node -> node.without = Set.of());
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
        server.stop(0);
    }

    /** One node. */
    final class Node {
        private final String id;
        private final UUID incarnation = UUID.randomUUID();
        private Optional<Membership> membership = Optional.empty();
        private Optional<TopologyExchange> exchange = Optional.empty();
        private volatile @Nullable Set<String> without; // Null until it is told that all go by the change.
        volatile int formerPending;
        volatile boolean knowsSizes = true;
        volatile Life life = Life.WHOLE;
        private volatile boolean silent;
        private volatile String why = "as the test says";

        Node(String id) {
            this.id = id;
        }

        Member member() {
            return new Member(
                    id,
                    URI.create("http://127.0.0.1:1"),
                    URI.create("http://" + id + ":9090"),
                    "default",
                    MemberState.ACTIVE,
                    1,
                    null);
        }

        Membership membership() {
            return membership.orElseThrow();
        }

        TopologyExchange exchange() {
            return exchange.orElseThrow();
        }

        private void start(Topology first) {
            Membership own = new Membership(id, first);
            membership = Optional.of(own);
            exchange = Optional.of(
                    new TopologyExchange(own, (to, present) -> Mono.never(), Schedulers.immediate(), System::nanoTime));
        }

        /** It answers nobody from now on. */
        void stop() {
            silent = true;
        }

        /** The same; those that ask it tell that reason. */
        void stop(String reason) {
            why = reason;
            stop();
        }

        private CallReply answer(PeerOperation operation, byte[] body) {
            if (silent) {
                return new ReplicaFailure(id, Reason.UNREACHABLE, why);
            }
            return switch (operation) {
                case TOPOLOGY -> {
                    if (body.length > 0) {
                        membership().offer(TopologyJson.read(body));
                    }
                    yield new CallReply.Done(present());
                }
                case MEMBER_REPORT -> new CallReply.Done(MemberReportJson.write(report()));
                case MEMBER_SIZES -> knowsSizes ? new CallReply.Done(sizes()) : refusal();
                case MEMBER_PUBLISH ->
                    published(TopologyJson.read(body))
                            .<CallReply>map(CallReply.Done::new)
                            .orElseGet(this::refusal);
                case MEMBER_SETTLE -> {
                    beforeSettled.forEach(
                            event -> event.accept(membership().view().epoch()));
                    without = ControlJson.readSettled(body).gone();
                    yield new CallReply.Done(new byte[0]);
                }
                default -> throw new IllegalArgumentException(operation.name());
            };
        }

        private ReplicaFailure refusal() {
            return new ReplicaFailure(id, Reason.REFUSED, "refused");
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
            Set<String> told = present.isChanging() ? without : null;
            boolean hasAll = told != null
                    && nodes.values().stream().filter(node -> node.silent).allMatch(node -> told.contains(node.id));
            return new MemberReport(
                    new Identity(id, "demo", PARTITIONS, incarnation),
                    Standing.of(present, id, 0, life),
                    new Transfer(told, present.isChanging() ? 4 : 0, hasAll ? 4 : 0, 0, 0, 0, 1000, ""),
                    new Former(formerPending, 0, ""),
                    new Disk(GIB, 0));
        }
    }

    /** Ids of all nodes. */
    List<String> ids() {
        return new ArrayList<>(nodes.keySet());
    }
}
