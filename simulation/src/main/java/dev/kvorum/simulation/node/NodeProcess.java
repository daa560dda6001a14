package dev.kvorum.simulation.node;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.consensus.Acceptor;
import dev.kvorum.node.consensus.Electorates;
import dev.kvorum.node.consensus.RegisterCoordinator;
import dev.kvorum.node.consensus.RegisterMetrics;
import dev.kvorum.node.consensus.RegisterParts;
import dev.kvorum.node.consensus.RegisterService;
import dev.kvorum.node.consensus.SettledPartitions;
import dev.kvorum.node.consensus.Settling;
import dev.kvorum.node.coordinator.Breadth;
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
import dev.kvorum.node.coordinator.WriteCoordinator;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.HintMetrics;
import dev.kvorum.node.hint.HintReplay;
import dev.kvorum.node.hint.HintRoutes;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.repair.MemberLife;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.repair.RepairMetrics;
import dev.kvorum.node.repair.RepairParts;
import dev.kvorum.node.repair.Verifications;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerClient;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.PeerService;
import dev.kvorum.node.replica.PeerTopologies;
import dev.kvorum.node.replica.RemoteCalls;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.node.transfer.Transfer;
import dev.kvorum.node.transfer.TransferMetrics;
import dev.kvorum.node.transfer.TransferParts;
import dev.kvorum.simulation.disk.SimulatedDisk;
import dev.kvorum.simulation.disk.SimulatedHintStore;
import dev.kvorum.simulation.disk.SimulatedRegisters;
import dev.kvorum.simulation.disk.SimulatedStore;
import dev.kvorum.simulation.network.PeerDoor;
import dev.kvorum.simulation.network.PeerLine;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.LifeScheduler;
import dev.kvorum.simulation.world.ProcessLife;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * One life of a node: the production classes, put together in the order of {@code ClusterWiring}, {@code RequestWiring}, {@code HintWiring} and {@code
 * RepairWiring}, {@code TransferWiring}, which is where to look for what is new. Only what comes from outside differs: time and chance, the disk, the line to other members, and where requests come in.
 */
final class NodeProcess {
    private static final int ANSWER_MAX = PeerProtocol.callMax(1 << 20);
    private static final double FULL = 0.25; // Of the queue of writes.

    private final Place place;
    private final ClusterSettings settings;
    private final ProcessLife life;
    private final PeerLine line;
    private final Chance chance;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Deadlines deadlines;
    private final SimulatedStore store;
    private final DiskClaim claim;
    private final SimulatedRegisters registers;
    private final Membership membership;
    private final AliveNote alive;
    private final Verifications verifications;
    private final HybridClock clock;
    private final ReplicaMetrics replicaMetrics = new ReplicaMetrics(meters);
    private final LocalReplica local;
    private final WebClient client;
    private final TopologyExchange exchange;
    private final Replicas replicas;
    private final ReplicaPlans plans;
    private final InFlight inFlight = new InFlight();
    private final UndecidedValues room = new UndecidedValues();
    private final SimulatedHintStore hintStore;
    private final HintMetrics hintMetrics;
    private final HintReplay hintReplay;
    private final RemoteCalls calls;
    private final Acceptor acceptor;
    private final Settling settling;
    private final Repair repair;
    private final Transfer transfer;
    private final ClientDoor clients;
    private final PeerDoor door;

    /**
     * Where it runs, and as whom.
     *
     * @param name the id of the member that it is
     * @param neighbours those whom it can ask before it serves anything
     */
    record Place(
            String name,
            Topology topology,
            ClusterSettings settings,
            SimulatedDisk disk,
            Neighbours neighbours,
            Bugs bugs) {}

    NodeProcess(Place place, ProcessLife life, PeerLine line, Chance chance) {
        this.place = place;
        this.settings = place.settings();
        this.life = life;
        this.line = line;
        this.chance = chance;
        this.deadlines = new Sweeper(life, chance).deadlines();

        // What a node is before it serves anything.
        this.membership = followed();
        this.claim = DiskClaim.of(place, membership.view(), wallMillis());
        this.store = new SimulatedStore(life, place.disk(), settings.storage(), place.bugs());
        this.alive = new AliveNote(place.disk(), membership, settings.repair().tombstoneGrace(), life);
        this.verifications = verifications();
        this.clock = clock();
        store.syncEvery(clock::newest);

        // What a request passes through, from the innermost to the edge.
        this.local = new LocalReplica(membership, store, clock, replicaMetrics, verifications::isRebuilding);
        this.client = WebClient.builder().clientConnector(line).build();
        this.exchange = new TopologyExchange(
                membership, new PeerTopologies(client, membership), new LifeScheduler(life), deadlines::now);
        this.replicas = replicas();
        HedgeDelay hedgeDelay = HedgeDelay.of(settings.read());
        this.plans = new ReplicaPlans(
                membership,
                replicas::on,
                new ReadOrder(settings.read().placement(), hedgeDelay, chance::below),
                hedgeDelay);
        this.hintStore = store.hints(settings.hints());
        this.hintMetrics = new HintMetrics(meters, hintStore, this::wallMillis);
        this.hintReplay = hintReplay();
        hintReplay.start();
        this.calls = new RemoteCalls(client, settings.peer(), ANSWER_MAX, exchange);
        this.registers =
                new SimulatedRegisters(life, place.disk(), settings.storage().queue(), place.bugs());
        this.acceptor = new Acceptor(
                local,
                membership,
                registers,
                clock,
                this::wallMillis,
                claim.rebirth(verifications::isRebuilding, membership));
        RegisterParts parts = registerParts();
        RegisterCoordinator coordinator = new RegisterCoordinator(parts);
        this.settling = new Settling(registers, parts, coordinator, acceptor);
        this.repair = newRepair();
        this.clients = new ClientDoor(
                new QuorumPolicy(membership, settings.quorum()),
                reads(),
                writes(),
                new RegisterDoor(coordinator, settling::start));
        PeerService service = new PeerService(local, membership);
        PeerTopologies.serve(service, exchange);
        repair.service().serve(service::onCall);
        new RegisterService(acceptor).serve(service::onCall);
        this.door = new PeerDoor(life, service, place.bugs());
        repair.start();
        membership.follow(this::lookForLost);
        this.transfer = transfer();
        var _ = transfer.start().subscribe(); // At once: the disk is read while the process begins.
    }

    /** The file may be older than what the node has learned from others since. */
    private Membership followed() {
        Topology file = place.topology();
        Membership members = new Membership(place.name(), file);
        place.disk().lastTopology().filter(last -> last.epoch() > file.epoch()).ifPresent(members::offer);
        members.follow(view -> place.disk().keepTopology(view.topology()));
        return members;
    }

    private Verifications verifications() {
        Verifications known = new Verifications(
                store.notes(),
                membership.view().topology().partitions(),
                settings.repair().tombstoneGrace(),
                settings.clock().aheadMax().multipliedBy(2));
        var _ = known.load().subscribe(); // At once: the disk is read while the process begins.
        membership.follow(view -> known.rebuild(claim.lostBefore(view)));
        return known;
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

    private Replicas replicas() {
        Replicas all = new Replicas(
                local,
                PeerClient.of(client),
                settings.peer(),
                ANSWER_MAX,
                exchange,
                replicaMetrics,
                deadlines::now,
                chance::fraction);
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

    private Repair newRepair() {
        // A member that rebuilds answers others who repair all the same: they look at what it has.
        LocalReplica all = new LocalReplica(membership, store, clock, replicaMetrics, partition -> false);
        RepairParts parts = new RepairParts(
                membership,
                new SettledPartitions(store.partitions(), settling),
                verifications,
                all,
                calls,
                deadlines,
                this::wallMillis,
                alive::since,
                chance::number,
                () -> 0,
                () -> store.fullness() > FULL);
        return new Repair(parts, settings.repair(), new RepairMetrics(meters));
    }

    /** What an epoch says of incarnations. */
    private void lookForLost(ClusterView view) {
        if (claim.lostBefore(view) != Verifications.NEVER) {
            repair.lookForLost(view);
        }
    }

    private Transfer transfer() {
        TransferParts parts = new TransferParts(
                membership,
                repair,
                store.partitions(),
                store.drops(),
                store.notes(),
                deadlines,
                this::wallMillis,
                alive::before,
                settings.repair().tombstoneGrace(),
                settings.repair().rate().toBytes());
        return new Transfer(parts, new TransferMetrics(meters));
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

    private RegisterParts registerParts() {
        return new RegisterParts(
                new Electorates(membership, acceptor, calls),
                clock,
                this::wallMillis,
                settings.quorum().deadline(),
                deadlines,
                chance::fraction,
                inFlight,
                new Hints(hintStore, hintMetrics),
                new RegisterMetrics(meters));
    }

    /** How busy the processors are is a matter of chance here, as all else that comes from outside. */
    private FanOut fanOut() {
        return switch (settings.read().fanOut()) {
            case ALL -> FanOut.ALL;
            case HEDGED -> FanOut.HEDGED;
            case ADAPTIVE -> () -> chance.is(0.5) ? Breadth.PROMPT : Breadth.NEEDED;
        };
    }

    ProcessLife life() {
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

    Repair repair() {
        return repair;
    }

    /** All members, but those that are gone, go by that epoch. */
    void settle(long epoch, Set<String> gone) {
        var _ = transfer.settle(epoch, gone);
    }

    /** How long it has been alive. */
    MemberLife alive() {
        return new MemberLife(alive.since(), wallMillis());
    }

    /** What it says of itself to whoever changes the members. */
    MemberReport report() {
        ClusterView view = membership.view();
        return new MemberReport(
                view.self(),
                view.topology().cluster(),
                view.topology().partitions(),
                claim.incarnation(),
                view.epoch(),
                view.hasSelf(),
                repair.rebuilding(),
                transfer.report(),
                transfer.former(),
                new MemberReport.Disk(0, 0));
    }

    /** Serves a request of a client; as {@link ClientDoor#serve}. */
    Mono<Answer> serve(Request request, boolean saysQuorum) {
        return clients.serve(request, saysQuorum);
    }

    /** Whether no write is under way, so that an orderly stop may go on. */
    boolean isDrained() {
        return inFlight.writes() == 0 && store.isQuiet() && registers.isQuiet();
    }

    /** How many hints it has kept in this life. */
    long hintsKept() {
        return (long) meters.get("kvorum.hints.stored").counter().count();
    }

    /** How many registers may be open. */
    long openRegisters() {
        return (long) meters.get("kvorum.register.open").gauge().value();
    }

    /** The end of an orderly stop. */
    void close() {
        transfer.close();
        repair.close();
        hintReplay.close();
        alive.note();
        store.close();
    }

    /** What is still held though nothing is under way, in words; empty if nothing is. */
    String leftovers() {
        String writes = inFlight.writes() == 0 ? "" : inFlight.writes() + " writes in flight ";
        return writes + (room.taken() == 0 ? "" : room.taken() + " bytes of undecided reads");
    }
}
