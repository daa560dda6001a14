package dev.kvorum.node.core;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.node.catchup.CatchUp;
import dev.kvorum.node.catchup.TailService;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.clock.ClockMetrics;
import dev.kvorum.node.clock.ClockObjection;
import dev.kvorum.node.clock.ClockSkew;
import dev.kvorum.node.clock.ClockWatch;
import dev.kvorum.node.clock.IssuedAhead;
import dev.kvorum.node.clock.SteadyClock;
import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.consensus.Acceptor;
import dev.kvorum.node.consensus.Electorates;
import dev.kvorum.node.consensus.Rebirth;
import dev.kvorum.node.consensus.RegisterCoordinator;
import dev.kvorum.node.consensus.RegisterMetrics;
import dev.kvorum.node.consensus.RegisterParts;
import dev.kvorum.node.consensus.RegisterService;
import dev.kvorum.node.consensus.SettledPartitions;
import dev.kvorum.node.consensus.Settling;
import dev.kvorum.node.control.LocalMember;
import dev.kvorum.node.control.MemberOperations;
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
import dev.kvorum.node.coordinator.Stamping;
import dev.kvorum.node.coordinator.WriteCoordinator;
import dev.kvorum.node.heartbeat.Heartbeat;
import dev.kvorum.node.hint.HintMetrics;
import dev.kvorum.node.hint.HintReplay;
import dev.kvorum.node.hint.HintRoutes;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.repair.Backpressure;
import dev.kvorum.node.repair.DamagedPartitions;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.repair.RepairMetrics;
import dev.kvorum.node.repair.RepairParts;
import dev.kvorum.node.replica.Contradictions;
import dev.kvorum.node.replica.Floors;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerAccess;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.PeerService;
import dev.kvorum.node.replica.PeerTopologies;
import dev.kvorum.node.replica.RemoteCalls;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.node.scrub.Scrub;
import dev.kvorum.node.scrub.ScrubMetrics;
import dev.kvorum.node.scrub.ScrubParts;
import dev.kvorum.node.storage.MemberDirectory;
import dev.kvorum.node.storage.Store;
import dev.kvorum.node.transfer.DataAge;
import dev.kvorum.node.transfer.Transfer;
import dev.kvorum.node.transfer.TransferMetrics;
import dev.kvorum.node.transfer.TransferParts;
import dev.kvorum.node.verification.DirectoryWatch;
import dev.kvorum.node.verification.LogMarks;
import dev.kvorum.node.verification.LostLife;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.OwnProgress;
import dev.kvorum.node.verification.RememberedProgress;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Life;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * One life of a node, put together: from what it keeps to where requests come in. It has no server and no thread of its own. A component that is added here runs in
 * every real node and in the simulation.
 *
 * <p>Its life: made, {@link #start started} before requests come, {@link #startMovingData moving data} while they do, and back. Making and starting it may block.
 */
public final class NodeCore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeCore.class);
    private static final double FULL = 0.25; // Of the queue of writes.
    // After a crash, what is remembered of others may be so much older.
    private static final long SAVED_MILLIS = 10_000;
    private static final Duration REQUEST_SLACK = Duration.ofSeconds(1);

    private final Membership membership;
    private final MemberDirectory directory;
    private final Store store;
    private final Ports ports;
    private final CoreSettings settings;
    private final LostLife lost;
    private final LifeKeeper life;
    private final Verifications verifications;
    private final HybridClock clock;
    private final Floors floors;
    private volatile long promisesForgottenUntil; // By the epoch in force; 0 for never.
    private volatile long writesForgottenUntil; // As well.
    private final LocalReplica local;
    private final TopologyExchange exchange;
    private final Replicas replicas;
    private final RemoteCalls calls;
    private final ClockWatch clocks;
    private final RememberedProgress remembered;
    private final Disposable saving;
    private final LogMarks logs;
    private final Heartbeat heartbeat;
    private final ReplicaPlans plans;
    private final InFlight inFlight = new InFlight();
    private final Hints hints;
    private final HintReplay hintReplay;
    private final QuorumPolicy quorums;
    private final WriteCoordinator writes;
    private final ReadCoordinator reads;
    private final Acceptor acceptor;
    private final RegisterCoordinator registers;
    private final Settling settling;
    private final Backpressure backpressure;
    private final Repair repair;
    private final CatchUp catchUp;
    private final Disposable.Swap catchingUp = Disposables.swap();
    private final Scrub scrub;
    private final Transfer transfer;
    private final OwnLife ownLife;
    private final SelfReport report;
    private final LocalMember member;
    private final PeerService service;
    private final Announcement announcement;

    /**
     * Puts a node together.
     *
     * @param membership with the epoch that the node goes by
     * @param directory settled by an {@link Arrival}
     * @param store opened; the caller closes it after this
     */
    public NodeCore(Membership membership, MemberDirectory directory, Store store, Ports ports, CoreSettings settings) {
        this.membership = membership;
        this.directory = directory;
        this.store = store;
        this.ports = ports;
        this.settings = settings;

        long changes = store.changesOnDisk(); // Before this life adds to them.

        // How it reaches others, and what time it is.
        this.exchange = newExchange();
        PeerAccess others =
                new PeerAccess(ports.peers().client(), settings.peer(), answerMax(), exchange, membership::digestOf);
        this.calls = new RemoteCalls(others);
        this.clocks = newClocks();
        this.remembered = new RememberedProgress(directory, membership);
        this.saving = newSaving();
        this.logs = new LogMarks(store.log()::last, ports.deadlines()::now, requestNanosMax());
        this.heartbeat = newHeartbeat();

        // What a node is before it serves anything.
        this.lost = new LostLife(
                directory.incarnation(),
                directory.created(),
                directory.rebuilding(),
                directory.incomplete(),
                settings.clock().aheadMax());
        this.life = new LifeKeeper(
                directory, membership, settings.repair().tombstoneGrace(), clocks::millis, ports.background());
        this.verifications = newVerifications();
        long former = HybridClock.floorAbove(
                store.newestOfFormerLife(), settings.storage().syncInterval());
        this.clock = newClock(former);
        this.floors = newFloors(former);

        // What a request passes through, from the innermost to the edge.
        ReplicaMetrics replicaMetrics = new ReplicaMetrics(ports.meters());
        this.local =
                new LocalReplica(membership, store.cells(), clock, replicaMetrics, floors, verifications::isRebuilding);
        this.replicas = newReplicas(others, replicaMetrics);
        this.plans = newPlans();
        this.hints = new Hints(store.hints(), new HintMetrics(ports.meters(), store.hints(), clocks::millis));
        this.hintReplay = newHintReplay();
        this.quorums = new QuorumPolicy(membership, settings.quorum());
        this.writes = new WriteCoordinator(
                plans,
                new Stamping(clock, this::clockObjection),
                settings.quorum().deadline(),
                ports.deadlines(),
                inFlight,
                hints);
        this.reads = newReads();
        this.acceptor = newAcceptor();
        RegisterParts parts = newRegisterParts();
        this.registers = new RegisterCoordinator(parts);

        // What brings copies together, and moves them.
        this.settling = new Settling(store.registers(), parts, registers, acceptor);
        this.backpressure = newBackpressure();
        RepairParts repairs = newRepairParts(replicaMetrics);
        this.repair = new Repair(repairs, settings.repair(), new RepairMetrics(ports.meters()));
        this.catchUp = new CatchUp(
                repairs,
                new CatchUp.LastStart(directory.start(), changes, directory.formerlyIncomplete()),
                requestNanosMax(),
                ports.meters());
        this.scrub = newScrub();
        this.transfer = newTransfer();
        store.whenDamaged(new DamagedPartitions(membership, verifications, clocks::millis, repair, ports.deadlines()));

        // What other members ask for.
        this.ownLife = new OwnLife(membership, directory, verifications, repair::lacking);
        this.report = new SelfReport(membership, directory, store, life, ownLife, transfer);
        this.member = new NodeMembership(report, membership, store.partitions(), transfer, ports.background());
        this.service = newService(replicaMetrics);
        this.announcement = new Announcement(membership, calls, ports.deadlines());
        watch();
    }

    private Verifications newVerifications() {
        Verifications known = new Verifications(
                store.notes(),
                membership.view().topology().partitions(),
                settings.repair().tombstoneGrace(),
                settings.clock().aheadMax().multipliedBy(2));
        known.load().block();
        membership.follow(view -> known.regain(lost.loss(view)));
        return known;
    }

    /** Of this life: where a crash made the node forget how far it had come, no two writes may get the same version. */
    private HybridClock newClock(long former) {
        String thisLife = membership.view().self() + "/" + directory.incarnation() + "/" + directory.start();
        ClockSettings limits = settings.clock();
        HybridClock hybrid =
                new HybridClock(clocks::millis, Hashing.xxh3_64().hashCharsToLong(thisLife), limits.aheadMax(), former);
        store.keepNewest(hybrid::newest);
        Duration lead = hybrid.lead();
        if (lead.compareTo(limits.aheadMax()) > 0) {
            LOG.warn(
                    "This node has issued versions {} s ahead of its wall clock: until that time has come, other members refuse what is"
                            + " written through it. Its clock was, or is, wrong. If those of most members were, the command restamp moves the versions back",
                    lead.toSeconds());
        }
        return hybrid;
    }

    private Floors newFloors(long former) {
        membership.follow(view -> {
            promisesForgottenUntil = lost.promisesForgottenUntil(view);
            writesForgottenUntil = lost.writesForgottenUntil(view);
        });
        return new Floors(former, () -> byTheMajority(writesForgottenUntil));
    }

    /** A time of a former life. Its clock may have been as wrong as this one's is now. */
    private long byTheMajority(long until) {
        return until == 0 ? 0 : until + clocks.majorityAhead();
    }

    private ClockWatch newClocks() {
        SteadyClock time = new SteadyClock(ports.wallMillis(), ports.deadlines()::now);
        ClockWatch watch = new ClockWatch(
                time, membership, ports.deadlines(), settings.clock().aheadMax());
        ClockMetrics.watch(watch, ports.meters());
        return watch;
    }

    private Disposable newSaving() {
        return ports.background()
                .schedulePeriodically(remembered::save, SAVED_MILLIS, SAVED_MILLIS, TimeUnit.MILLISECONDS);
    }

    private Heartbeat newHeartbeat() {
        OwnProgress own =
                new OwnProgress(directory.incarnation(), directory.start(), store::changesOnDisk, this::endAsOlder);
        return new Heartbeat(clocks, new DirectoryWatch(own, remembered, logs), membership, calls, ports.deadlines());
    }

    /** How long before its acknowledgement by a replica a request can have begun at most. Other members may have a somewhat longer deadline. */
    private long requestNanosMax() {
        return settings.quorum()
                .deadline()
                .plus(settings.peer().timeout())
                .plus(REQUEST_SLACK)
                .toNanos();
    }

    /** Found at the start, if the one that remembers can be asked then; else as soon as it can be. */
    private void endAsOlder(String reason) {
        if (!membership.view().isOnlyCopy()) { // Else there is nothing to rebuild it from.
            ports.end()
                    .accept("the data directory was put back from an older copy: " + reason
                            + ". Writes that this member has acknowledged are missing in it. Start the node again: it sets the directory aside,"
                            + " and is rebuilt from the other members");
        }
    }

    private TopologyExchange newExchange() {
        PeerTopologies call = new PeerTopologies(ports.peers().client(), membership);
        return new TopologyExchange(membership, call, ports.background(), ports.deadlines()::now);
    }

    /** Longest answer of another member, in bytes. */
    private int answerMax() {
        return PeerProtocol.callMax((int) settings.valueMax().toBytes());
    }

    private Replicas newReplicas(PeerAccess others, ReplicaMetrics metrics) {
        Replicas all = new Replicas(local, others, metrics, ports.deadlines()::now, ports.random()::nextDouble);
        membership.follow(view -> {
            ports.peers().become(view.peers());
            all.become(view.topology().members());
        });
        return all;
    }

    private ReplicaPlans newPlans() {
        HedgeDelay hedgeDelay = HedgeDelay.of(settings.read());
        ReadOrder order = new ReadOrder(settings.read().placement(), hedgeDelay, ports.random()::nextInt);
        return new ReplicaPlans(membership, replicas::on, order, hedgeDelay);
    }

    private HintReplay newHintReplay() {
        HintReplay replay = new HintReplay(
                hints,
                new HintRoutes(membership, replicas::on),
                settings.hints(),
                ports.deadlines(),
                clocks::millis,
                ports.random()::nextDouble);
        replicas.whenTrusted(replay::trusted);
        return replay;
    }

    private ReadCoordinator newReads() {
        ReadPolicy policy = new ReadPolicy(
                settings.quorum().deadline(),
                ports.load().fanOut(),
                new Hedging(settings.read()),
                new Mending(settings.read(), new ReadRepair(new ReadRepairMetrics(ports.meters()))),
                ports.load().values());
        return new ReadCoordinator(
                plans,
                clock,
                clocks::millis,
                ports.deadlines(),
                policy,
                new ReadMetrics(ports.meters(), policy.fanOut()));
    }

    private Acceptor newAcceptor() {
        Rebirth rebirth = new Rebirth(
                verifications::isRebuilding,
                verifications::hasForgotten,
                () -> byTheMajority(promisesForgottenUntil),
                directory::tenure);
        return new Acceptor(local, membership, store.registers(), clock, clocks::millis, rebirth);
    }

    private RegisterParts newRegisterParts() {
        return new RegisterParts(
                new Electorates(membership, acceptor, calls),
                clock,
                clocks::millis,
                settings.quorum().deadline(),
                ports.deadlines(),
                ports.random()::nextDouble,
                inFlight,
                hints,
                new RegisterMetrics(ports.meters()));
    }

    private Backpressure newBackpressure() {
        Load load = ports.load();
        return new Backpressure(load.restPerKib(), () -> load.clientsWait().getAsBoolean() || store.fullness() > FULL);
    }

    private Scrub newScrub() {
        ScrubParts parts = new ScrubParts(
                store.checks(),
                store.notes(),
                membership.view().topology().partitions(),
                ports.deadlines(),
                clocks::millis,
                this::aheadFrom,
                ports.random(),
                backpressure);
        return new Scrub(parts, settings.repair(), new ScrubMetrics(ports.meters()));
    }

    /** Versions from that millisecond since 1970 on are further ahead than clocks may be. */
    private long aheadFrom() {
        return clocks.millis() + settings.clock().aheadMax().toMillis();
    }

    private RepairParts newRepairParts(ReplicaMetrics metrics) {
        // A member that rebuilds answers others that repair all the same: they look at what it has.
        LocalReplica all = new LocalReplica(membership, store.cells(), clock, metrics, floors, partition -> false);
        return new RepairParts(
                membership,
                new SettledPartitions(store.partitions(), settling),
                verifications,
                all,
                calls,
                ports.deadlines(),
                clocks::millis,
                this::aheadFrom,
                this::alive,
                ports.random(),
                backpressure);
    }

    private Transfer newTransfer() {
        TransferParts parts = new TransferParts(
                membership,
                repair,
                store.partitions(),
                store.drops(),
                store.notes(),
                ports.deadlines(),
                new DataAge(clocks::millis, life::before, settings.repair().tombstoneGrace()),
                settings.repair().rate().toBytes());
        return new Transfer(parts, new TransferMetrics(ports.meters()));
    }

    private PeerService newService(ReplicaMetrics metrics) {
        Contradictions contradictions = new Contradictions(membership, metrics, ports.deadlines()::now);
        PeerService all = new PeerService(local, membership, contradictions);
        PeerTopologies.serve(all, exchange);
        heartbeat.serve(all::onCall);
        repair.service().serve(all::onCall);
        new TailService(membership, local, store.log(), logs, ports.random().nextLong()).serve(all::onCall);
        new RegisterService(acceptor).serve(all::onCall);
        new MemberOperations(membership.view().self(), member, exchange).serve(all::onCall);
        Announcement.serve(all::onCall, membership, ports.peers()::hurry);
        all.requireAll();
        return all;
    }

    private void watch() {
        Gauge.builder("kvorum.topology.epoch", membership, m -> m.view().epoch())
                .description("The epoch in force")
                .register(ports.meters());
        Gauge.builder("kvorum.client.writes.in.flight", inFlight, InFlight::writes)
                .description("Writes that not all replicas have answered yet")
                .register(ports.meters());
        ClockMetrics.watchIssued(() -> clock.isTooFarAhead() ? clock.lead().toMillis() / 1000.0 : 0, ports.meters());
    }

    /** Begins to send heartbeats to other members, and to bring hints to the members that they are for. */
    public void start() {
        heartbeat.start();
        hintReplay.start();
    }

    /** Begins to settle the registers that former lives of this node have left open, and those that this one leaves. */
    public void startSettling() {
        settling.start();
    }

    /** Begins to repair and to move data. Blocks for a look at the disk. */
    public void startMovingData() {
        repair.start();
        scrub.start();
        if (clock.isTooFarAhead()) {
            scrub.begin(); // Cells that a wrong clock has stamped are counted at once.
        }
        membership.follow(this::lookForLost);
        transfer.start().block();
        catchingUp.update(
                catchUp.run().then(Mono.fromRunnable(repair::startRebuilding)).subscribe());
    }

    /** What an epoch says of incarnations. */
    private void lookForLost(ClusterView view) {
        if (lost.loss(view).isAny()) {
            repair.lookForLost(view);
        }
    }

    /** Ends what {@link #startMovingData} has begun, at once. */
    public void stopMovingData() {
        catchingUp.dispose();
        scrub.close();
        transfer.close();
        repair.close();
    }

    /** Ends all that goes on, and notes that the member was alive. Blocks for the disk. */
    @Override
    public void close() {
        stopMovingData();
        settling.close();
        hintReplay.close();
        heartbeat.close();
        saving.dispose();
        remembered.save();
        life.close();
    }

    public Membership membership() {
        return membership;
    }

    /** Agrees with other members on the topology. */
    public TopologyExchange exchange() {
        return exchange;
    }

    /** The replica of each member. */
    public Replicas replicas() {
        return replicas;
    }

    /** Calls other members. */
    public PeerCalls calls() {
        return calls;
    }

    /** Why this node takes no plain writes: its clock is wrong, or was, so that others would refuse what it issues; empty while all is well. */
    public Optional<ClockObjection> clockObjection() {
        Optional<ClockSkew> wrong = clocks.skew();
        if (wrong.isPresent()) {
            return Optional.of(wrong.get());
        }
        if (!clock.isTooFarAhead()) {
            return Optional.empty();
        }
        Instant now = Instant.ofEpochMilli(clocks.millis());
        return Optional.of(new IssuedAhead(now.plus(clock.lead()), now));
    }

    /** What this node and the other members tell each other each second. */
    public Heartbeat heartbeat() {
        return heartbeat;
    }

    /** Which quorum a request gets. */
    public QuorumPolicy quorums() {
        return quorums;
    }

    public ReadCoordinator reads() {
        return reads;
    }

    public WriteCoordinator writes() {
        return writes;
    }

    /** Linearizable operations. */
    public RegisterCoordinator registers() {
        return registers;
    }

    /** The writes that not all replicas have answered yet. */
    public InFlight inFlight() {
        return inFlight;
    }

    public Repair repair() {
        return repair;
    }

    /** Reads all that this node stores, and checks it. */
    public Scrub scrub() {
        return scrub;
    }

    /** What other members may ask this one for. */
    public PeerService service() {
        return service;
    }

    /** This node, for those that change the members. */
    public LocalMember member() {
        return member;
    }

    /** What this node says of itself now. Blocks for the file system. */
    public MemberReport report() {
        return report.now();
    }

    /** The life of this member on its disk, and what that lacks. Blocks for nothing. */
    public Life ownLife() {
        return ownLife.now();
    }

    /** How far other members have come, as this one remembers. */
    public RememberedProgress remembered() {
        return remembered;
    }

    /** How long this member has been alive, as it tells others. */
    public MemberLife alive() {
        return new MemberLife(life.since(), clocks.millis());
    }

    /** To be made when the port for other members is open. */
    public Announcement announcement() {
        return announcement;
    }
}
