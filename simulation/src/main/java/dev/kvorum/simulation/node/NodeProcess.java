package dev.kvorum.simulation.node;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.coordinator.FanOut;
import dev.kvorum.node.coordinator.Hedging;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.coordinator.Mending;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.coordinator.ReadCoordinator;
import dev.kvorum.node.coordinator.ReadMetrics;
import dev.kvorum.node.coordinator.ReadOrder;
import dev.kvorum.node.coordinator.ReadPolicy;
import dev.kvorum.node.coordinator.ReplicaPlans;
import dev.kvorum.node.coordinator.WriteCoordinator;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.HintMetrics;
import dev.kvorum.node.hint.HintReplay;
import dev.kvorum.node.hint.HintRoutes;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.http.peer.PeerService;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.simulation.disk.SimulatedDisk;
import dev.kvorum.simulation.disk.SimulatedHintStore;
import dev.kvorum.simulation.disk.SimulatedStore;
import dev.kvorum.simulation.network.PeerDoor;
import dev.kvorum.simulation.network.PeerLine;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Life;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * One life of a node: the production classes, put together in the order of {@code RequestWiring} and {@code HintWiring}, which is where to look for
 * what is new. Only what comes from outside differs: time and chance, the disk, the line to other members, and where requests come in.
 */
final class NodeProcess {
    private static final int VALUE_MAX = 1 << 20;

    private final Place place;
    private final ClusterSettings settings;
    private final Life life;
    private final PeerLine line;
    private final Chance chance;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Deadlines deadlines;
    private final SimulatedStore store;
    private final Membership membership;
    private final HybridClock clock;
    private final LocalReplica local;
    private final Replicas replicas;
    private final ReplicaPlans plans;
    private final InFlight inFlight = new InFlight();
    private final UndecidedValues room = new UndecidedValues();
    private final SimulatedHintStore hintStore;
    private final HintMetrics hintMetrics;
    private final HintReplay hintReplay;
    private final ClientDoor clients;
    private final PeerDoor door;

    /**
     * Where it runs, and as whom.
     *
     * @param name the id of the member that it is
     */
    record Place(String name, Topology topology, ClusterSettings settings, SimulatedDisk disk, Bugs bugs) {}

    NodeProcess(Place place, Life life, PeerLine line, Chance chance) {
        this.place = place;
        this.settings = place.settings();
        this.life = life;
        this.line = line;
        this.chance = chance;
        this.deadlines = new Sweeper(life, chance).deadlines();

        // What a node is before it serves anything.
        this.store = new SimulatedStore(life, place.disk(), settings.storage(), place.bugs());
        this.membership = new Membership(place.name(), place.topology());
        this.clock = clock();
        store.syncEvery(clock::newest);

        // What a request passes through, from the innermost to the edge.
        ReplicaMetrics replicaMetrics = new ReplicaMetrics(meters);
        this.local =
                new LocalReplica(place.name(), key -> membership.view().partitionOf(key), store, clock, replicaMetrics);
        this.replicas = replicas(replicaMetrics);
        this.plans = new ReplicaPlans(
                membership, replicas::on, new ReadOrder(settings.read().placement(), chance::below));
        this.hintStore = store.hints(settings.hints());
        this.hintMetrics = new HintMetrics(meters, hintStore, this::wallMillis);
        this.hintReplay = hintReplay();
        hintReplay.start();
        this.clients = new ClientDoor(new QuorumPolicy(membership, settings.quorum()), reads(), writes());
        this.door = new PeerDoor(life, new PeerService(local), place.bugs());
    }

    private long wallMillis() {
        return life.clock().wallMillis();
    }

    private HybridClock clock() {
        return new HybridClock(
                this::wallMillis,
                Hashing.xxh3_64().hashCharsToLong(place.name() + "/" + life.number()),
                settings.clock().aheadMax(),
                HybridClock.floorAbove(
                        store.newestOfFormerLife(), settings.storage().syncInterval()));
    }

    private Replicas replicas(ReplicaMetrics metrics) {
        WebClient client = WebClient.builder().clientConnector(line).build();
        int answerMax = PeerProtocol.callMax(VALUE_MAX);
        Replicas all =
                new Replicas(local, client, settings.peer(), answerMax, metrics, deadlines::now, chance::fraction);
        membership.follow(view -> all.become(view.topology().members()));
        return all;
    }

    private HintReplay hintReplay() {
        HintReplay replay = new HintReplay(
                hintStore,
                new HintRoutes(membership, replicas::on),
                hintMetrics,
                settings.hints(),
                deadlines,
                this::wallMillis,
                chance::fraction);
        replicas.whenTrusted(replay::trusted);
        return replay;
    }

    private WriteCoordinator writes() {
        return new WriteCoordinator(
                plans, clock, settings.quorum().deadline(), deadlines, inFlight, new Hints(hintStore, hintMetrics));
    }

    private ReadCoordinator reads() {
        FanOut fanOut = fanOut();
        ReadPolicy policy = new ReadPolicy(
                settings.quorum().deadline(),
                fanOut,
                new Hedging(settings.read()),
                settings.read().cancel(),
                new Mending(settings.read(), new ReadRepair(new ReadRepairMetrics(meters))),
                room);
        return new ReadCoordinator(plans, clock, this::wallMillis, deadlines, policy, new ReadMetrics(meters, fanOut));
    }

    /** How busy the processors are is a matter of chance here, as all else that comes from outside. */
    private FanOut fanOut() {
        return switch (settings.read().fanOut()) {
            case ALL -> FanOut.ALL;
            case HEDGED -> FanOut.HEDGED;
            case ADAPTIVE -> () -> chance.is(0.5);
        };
    }

    Life life() {
        return life;
    }

    PeerLine line() {
        return line;
    }

    PeerDoor door() {
        return door;
    }

    Membership membership() {
        return membership;
    }

    /** Serves a request of a client; as {@link ClientDoor#serve}. */
    Mono<Answer> serve(Request request, boolean saysQuorum) {
        return clients.serve(request, saysQuorum);
    }

    /** Whether no write is under way, so that an orderly stop may go on. */
    boolean isDrained() {
        return inFlight.writes() == 0 && store.isQuiet();
    }

    /** How many hints it has kept in this life. */
    long hintsKept() {
        return (long) meters.get("kvorum.hints.stored").counter().count();
    }

    /** The end of an orderly stop. */
    void close() {
        hintReplay.close();
        store.close();
    }

    /** What is still held though nothing is under way, in words; empty if nothing is. */
    String leftovers() {
        String writes = inFlight.writes() == 0 ? "" : inFlight.writes() + " writes in flight ";
        return writes + (room.taken() == 0 ? "" : room.taken() + " bytes of undecided reads");
    }
}
