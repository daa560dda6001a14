package dev.kvorum.simulation.node;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.consensus.Acceptor;
import dev.kvorum.node.consensus.Electorates;
import dev.kvorum.node.consensus.Rebirth;
import dev.kvorum.node.consensus.RegisterCoordinator;
import dev.kvorum.node.consensus.RegisterMetrics;
import dev.kvorum.node.consensus.RegisterParts;
import dev.kvorum.node.consensus.RegisterService;
import dev.kvorum.node.consensus.Settling;
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
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.http.peer.PeerService;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.PeerTopologies;
import dev.kvorum.node.replica.RemoteCalls;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.simulation.disk.SimulatedDisk;
import dev.kvorum.simulation.disk.SimulatedRegisters;
import dev.kvorum.simulation.disk.SimulatedStore;
import dev.kvorum.simulation.network.PeerDoor;
import dev.kvorum.simulation.network.PeerLine;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Life;
import dev.kvorum.simulation.world.LifeScheduler;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * One life of a node: the production classes, put together in the order of the wiring of a real node. What differs stands at the top: the store,
 * the connector, the thread of the deadlines, and where requests come in.
 */
final class NodeProcess {
    private static final int VALUE_MAX = 1 << 20;

    private final Life life;
    private final SimulatedStore store;
    private final SimulatedRegisters registers;
    private final PeerLine line;
    private final PeerDoor door;
    private final ClientDoor clients;
    private final Membership membership;
    private final InFlight inFlight;
    private final UndecidedValues room = new UndecidedValues();

    /** @param name the id of the member that it is */
    NodeProcess(
            String name,
            Topology topology,
            ClusterSettings settings,
            Life life,
            SimulatedDisk disk,
            PeerLine line,
            Chance chance,
            Bugs bugs) {
        this.life = life;
        this.line = line;
        this.store = new SimulatedStore(life, disk, settings.storage(), bugs);
        Deadlines deadlines = new Sweeper(life, chance).deadlines();
        MeterRegistry meters = new SimpleMeterRegistry();

        // What a node is before it serves anything.
        this.membership = membership(name, topology, disk);
        HybridClock clock = new HybridClock(
                life.clock()::wallMillis,
                Hashing.xxh3_64().hashCharsToLong(name + "/" + life.number()),
                settings.clock().aheadMax(),
                HybridClock.floorAbove(
                        store.newestOfFormerLife(), settings.storage().syncInterval()));
        store.syncEvery(clock::newest);

        // What a request passes through, from the innermost to the edge.
        ReplicaMetrics replicaMetrics = new ReplicaMetrics(meters);
        LocalReplica local = new LocalReplica(membership, store, clock, replicaMetrics, partition -> false);
        WebClient client = WebClient.builder().clientConnector(line).build();
        TopologyExchange exchange = new TopologyExchange(
                membership, new PeerTopologies(client, membership), new LifeScheduler(life), deadlines::now);
        Replicas replicas = new Replicas(
                local,
                client,
                settings.peer(),
                PeerProtocol.callMax(VALUE_MAX),
                exchange,
                replicaMetrics,
                deadlines::now,
                chance::fraction);
        membership.follow(view -> replicas.become(view.topology().members()));
        ReplicaPlans plans = new ReplicaPlans(
                membership, replicas::on, new ReadOrder(settings.read().placement(), chance::below));
        this.inFlight = new InFlight();
        ForgottenHints forgotten = new ForgottenHints();
        Hints hints = new Hints(forgotten, new HintMetrics(meters, forgotten, life.clock()::wallMillis));
        WriteCoordinator writes =
                new WriteCoordinator(plans, clock, settings.quorum().deadline(), deadlines, inFlight, hints);
        FanOut fanOut = fanOut(settings, chance);
        ReadPolicy readPolicy = new ReadPolicy(
                settings.quorum().deadline(),
                fanOut,
                new Hedging(settings.read()),
                settings.read().cancel(),
                new Mending(settings.read(), new ReadRepair(new ReadRepairMetrics(meters))),
                room);
        ReadCoordinator reads = new ReadCoordinator(
                plans, clock, life.clock()::wallMillis, deadlines, readPolicy, new ReadMetrics(meters, fanOut));
        this.registers = new SimulatedRegisters(life, disk, settings.storage().queue(), bugs);
        Acceptor acceptor = new Acceptor(local, membership, registers, clock, life.clock()::wallMillis, Rebirth.NEVER);
        RegisterParts registerParts = new RegisterParts(
                new Electorates(
                        membership,
                        acceptor,
                        new RemoteCalls(client, settings.peer(), PeerProtocol.callMax(VALUE_MAX), exchange)),
                clock,
                life.clock()::wallMillis,
                settings.quorum().deadline(),
                deadlines,
                chance::fraction,
                inFlight,
                hints,
                new RegisterMetrics(meters));
        RegisterCoordinator coordinator = new RegisterCoordinator(registerParts);
        Settling settling = new Settling(registers, registerParts, coordinator, acceptor);
        this.clients = new ClientDoor(
                new QuorumPolicy(membership, settings.quorum()),
                reads,
                writes,
                new RegisterDoor(coordinator, settling::start));
        PeerService service = new PeerService(
                local,
                membership,
                exchange,
                (path, body) -> Mono.just(unrepaired(name)),
                new RegisterService(acceptor)::serve);
        this.door = new PeerDoor(life, service, bugs);
    }

    /** The file may be older than what the node has learned from others since. */
    private static Membership membership(String name, Topology file, SimulatedDisk disk) {
        Membership membership = new Membership(name, file);
        disk.lastTopology().filter(last -> last.epoch() > file.epoch()).ifPresent(membership::offer);
        membership.follow(view -> disk.keepTopology(view.topology()));
        return membership;
    }

    /** Anti-entropy is no part of this cluster. */
    private static CallReply unrepaired(String name) {
        return new ReplicaFailure(name, ReplicaFailure.Reason.REFUSED, "nothing is compared here");
    }

    /** How busy the processors are is a matter of chance here, as all else that comes from outside. */
    private static FanOut fanOut(ClusterSettings settings, Chance chance) {
        return switch (settings.read().fanOut()) {
            case ALL -> FanOut.ALL;
            case HEDGED -> FanOut.HEDGED;
            case ADAPTIVE -> () -> chance.is(0.5);
        };
    }

    Life life() {
        return life;
    }

    SimulatedStore store() {
        return store;
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
        return inFlight.writes() == 0 && store.isQuiet() && registers.isQuiet();
    }

    /** What is still held though nothing is under way, in words; empty if nothing is. */
    String leftovers() {
        String writes = inFlight.writes() == 0 ? "" : inFlight.writes() + " writes in flight ";
        String calls = line.openCalls() == 0 ? "" : line.openCalls() + " open calls ";
        return writes + calls + (room.taken() == 0 ? "" : room.taken() + " bytes of undecided reads");
    }
}
