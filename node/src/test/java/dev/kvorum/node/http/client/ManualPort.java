package dev.kvorum.node.http.client;

import dev.kvorum.node.admission.Admission;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.consensus.LoneRegisters;
import dev.kvorum.node.coordinator.FanOut;
import dev.kvorum.node.coordinator.HedgeDelay;
import dev.kvorum.node.coordinator.Hedging;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.coordinator.Mending;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.coordinator.ReadCoordinator;
import dev.kvorum.node.coordinator.ReadMetrics;
import dev.kvorum.node.coordinator.ReadOrder;
import dev.kvorum.node.coordinator.ReadPolicy;
import dev.kvorum.node.coordinator.ReplicaPlans;
import dev.kvorum.node.coordinator.Room;
import dev.kvorum.node.coordinator.Stamping;
import dev.kvorum.node.coordinator.WriteCoordinator;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.HintMetrics;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.hint.ManualHintStore;
import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.AnswerLimits;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaHealth;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport.Life;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntToLongFunction;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * The client port of a node of one member, whose replica answers when told to. It has one event loop, and keeps next to nothing of
 * an answer in the buffers of the system.
 */
final class ManualPort implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(1);
    /** Its one loop lets operations wait until a test has seen that they do. */
    private static final Map<String, String> PATIENT =
            Map.of("kvorum.http.burst", "10s", "kvorum.http.event-loops", "1");

    private static final int SEND_BUFFER = 16 << 10;

    final ManualReplica replica = new ManualReplica();
    final ByteBudget bodies;
    final MeterRegistry meters = new SimpleMeterRegistry();
    final Queue<Channel> connections = new ConcurrentLinkedQueue<>();
    volatile IntToLongFunction verifiedAt = partition -> 0;
    private final LoopResources loops = LoopResources.create("client-port-test", 1, true);
    private final DisposableServer server;

    ManualPort(long bodiesMax) {
        this(bodiesMax, Duration.ofSeconds(30));
    }

    /** @param takeMax how long a client may take for an answer */
    ManualPort(long bodiesMax, Duration takeMax) {
        this.bodies = new ByteBudget(bodiesMax);
        AnswerLimits answers = AnswerLimits.of("clients", bodies, takeMax, meters);
        this.server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .runOn(loops)
                .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER)
                .doOnChannelInit((observer, channel, remote) -> {
                    connections.add(channel);
                    AnswerGuard.install(channel, answers);
                })
                .handle(new ReactorHttpHandlerAdapter(handler()))
                .bindNow();
    }

    private ClientHandler handler() {
        Topology topology = new Topology("demo", 1, 1, Topology.PARTITIONS_DEFAULT, List.of(Topologies.member("n1")));
        Membership membership = new Membership("n1", topology);
        Deadlines deadlines = new Deadlines(System::nanoTime, () -> {});
        ObservedReplica observed = new ObservedReplica(
                replica,
                "zone-n1",
                new ReplicaHealth(() -> 0, (state, why) -> {}, deadlines.now()),
                deadlines::now,
                new ReplicaMetrics(meters));
        HybridClock clock = new HybridClock(() -> ManualReplica.NOW, 42, Duration.ofSeconds(10), 0);
        ReadSettings read = settings("kvorum.read", ReadSettings.class);
        HedgeDelay hedgeDelay = HedgeDelay.of(read);
        ReadOrder order = new ReadOrder(Placement.NEAR, hedgeDelay, bound -> 0);
        ReplicaPlans plans = new ReplicaPlans(membership, member -> observed, order, hedgeDelay);
        Mending mending = new Mending(read, new ReadRepair(new ReadRepairMetrics(meters)));
        Room room = new ByteBudget(1L << 40);
        ReadPolicy policy = new ReadPolicy(DEADLINE, FanOut.ALL, new Hedging(read), mending, room);
        ManualHintStore hintStore = new ManualHintStore();
        Hints hints = new Hints(hintStore, new HintMetrics(meters, hintStore, () -> ManualReplica.NOW));
        ReadMetrics readMetrics = new ReadMetrics(meters, FanOut.ALL);
        ClientMetrics metrics = new ClientMetrics(meters);
        EntityOperations operations = new EntityOperations(
                new ReadCoordinator(plans, clock, () -> ManualReplica.NOW, deadlines, policy, readMetrics),
                new WriteCoordinator(
                        plans, new Stamping(clock, Optional::empty), DEADLINE, deadlines, new InFlight(), hints),
                LoneRegisters.of(membership, clock, deadlines, hints, DEADLINE),
                new QuorumPolicy(membership, settings("kvorum.quorum", QuorumSettings.class)));
        EntityHandler entities = new EntityHandler(
                operations,
                new Body(1 << 20, bodies, DEADLINE, deadlines),
                new Admission(
                        settings("kvorum.http", HttpSettings.class, PATIENT),
                        bodies,
                        ClientHandler.ENTITY,
                        metrics::refused,
                        meters),
                metrics);
        return new ClientHandler(
                entities,
                new TopologyHandler(
                        membership, partition -> verifiedAt.applyAsLong(partition), deadlines::now, () -> Life.WHOLE),
                metrics);
    }

    private static <T> T settings(String prefix, Class<T> of) {
        return settings(prefix, of, Map.of());
    }

    private static <T> T settings(String prefix, Class<T> of, Map<String, String> set) {
        return new Binder(new MapConfigurationPropertySource(set)).bindOrCreate(prefix, of);
    }

    RawClient client() {
        return new RawClient(server.port());
    }

    long reads(String outcome) {
        return meters.get("kvorum.client.operations")
                .tags("operation", "read", "outcome", outcome)
                .timer()
                .count();
    }

    double overloaded() {
        return meters.get("kvorum.client.overloaded").counter().count();
    }

    double waiting() {
        return meters.get("kvorum.client.waiting").gauge().value();
    }

    double gone() {
        return meters.get("kvorum.client.gone").counter().count();
    }

    EventLoop loop() {
        return loops.onServer(true).next();
    }

    @Override
    public void close() {
        server.disposeNow(Duration.ofSeconds(5));
        loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block();
    }
}
