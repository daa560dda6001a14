package dev.kvorum.node.repair;

import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.copy.LocalCells;
import dev.kvorum.node.copy.LocalCopy;
import dev.kvorum.node.copy.Pace;
import dev.kvorum.node.copy.PartitionCopy;
import dev.kvorum.node.copy.Refusals;
import dev.kvorum.node.copy.RemoteCopy;
import dev.kvorum.node.copy.RepairProtocol;
import dev.kvorum.node.copy.Scans;
import dev.kvorum.node.copy.Scope;
import dev.kvorum.node.copy.Strays;
import dev.kvorum.node.copy.Sweep;
import dev.kvorum.node.copy.TreesByCopies;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.repair.RepairRequests.Request;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.topology.Member;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Anti-entropy: makes sure that members that should hold the same do, without anybody asking for it. Looks at one partition at a time, on a schedule and
 * on demand, at a bounded rate, and at none while clients or the disk have much to do.
 *
 * <p>Any thread may call it; nothing blocks the caller.
 */
public final class Repair implements PartitionSync, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Repair.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1); // Before each partition, while busy,
    private static final long LONG_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30); // and where only its time has come.
    private static final long ERROR_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long COMPLAINT_NANOS = TimeUnit.MINUTES.toNanos(10); // Between two in the log.
    private static final long STEP_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);

    /** What a verification says nothing of, and what keeps a lost disk from being whole. */
    private static final String AHEAD =
            "members hold cells whose versions are too far ahead, and that others lack: see the command restamp";

    private final RepairParts parts;
    private final RepairSettings settings;
    private final RepairMetrics metrics;
    private final Verifications verifications;
    private final RepairSchedule schedule;
    private final Map<String, Long> boots = new ConcurrentHashMap<>(); // Which process of each member was met last.
    private final LocalCopy local;
    private final OwnSide own;
    private final RepairService service;
    private final RepairRequests requests = new RepairRequests();
    private final Refusals refusals = new Refusals();
    private final Nap nap;
    private final long startedAt;
    private volatile @Nullable Integer running;
    private volatile @Nullable String lastFailure;
    private volatile @Nullable Disposable loop;
    private final Rebuilding rebuilding;
    private long nextLook;
    private boolean complained;
    private long quietUntil = Long.MIN_VALUE;

    public Repair(RepairParts parts, RepairSettings settings, RepairMetrics metrics) {
        this.parts = parts;
        this.settings = settings;
        this.metrics = metrics;
        this.startedAt = parts.wallMillis().getAsLong();
        this.verifications = parts.verifications();
        this.schedule = new RepairSchedule(verifications, settings.interval(), startedAt);
        this.nap = new Nap(parts.deadlines());
        this.rebuilding = new Rebuilding(parts, this::repair);
        this.local = newLocal();
        Pace exchanges = new Pace(settings.rate().toBytes(), parts.deadlines());
        this.own = new OwnSide(local, exchanges, parts.random(), parts.aheadFrom());
        this.service = new RepairService(local, this, parts);
        metrics.watchSeconds(
                "kvorum.repair.verified.age.max",
                "Age of the oldest verification of a partition that this node owns; since its start, if there was none",
                this::oldestAgeSeconds);
        metrics.watch(
                "kvorum.repair.waiting", "Partitions whose repair was asked for and has not begun", requests::waiting);
    }

    private LocalCopy newLocal() {
        Pace pace = new Pace(settings.scanRate().toBytes(), parts.backpressure().restPerKib(), parts.deadlines());
        LocalCells cells = new LocalCells(
                parts.local(), () -> parts.membership().view().epoch(), parts.deadlines(), verifications);
        return new LocalCopy(
                new Scans(parts.store(), pace, metrics.copies()),
                cells,
                new Sweep(parts.store(), pace, metrics.copies()),
                verifications,
                parts.wallMillis(),
                parts.random().nextLong());
    }

    /** Serves the calls of other members' repair. */
    public RepairService service() {
        return service;
    }

    /** Begins to work; until then it only serves others. What this node has lost it looks for from {@link #startRebuilding} on. Once. */
    public void start() {
        loop = Mono.defer(this::step).repeat().subscribe();
    }

    /** Begins to ask for the partitions that this node has lost, until it has them again. Once. */
    public void startRebuilding() {
        rebuilding.start();
    }

    /**
     * Repairs a partition as soon as the one in work, and those that were asked for before, are done; whatever the schedule says. If this node can't verify
     * it, it asks one that can to do so, and repairs it itself only where none can be reached.
     */
    public Mono<RepairOutcome> repair(int partition) {
        return repair(partition, false);
    }

    /** The same; {@code here} leaves it to no other node. */
    Mono<RepairOutcome> repair(int partition, boolean here) {
        Mono<RepairOutcome> outcome = requests.add(partition, here);
        nap.end();
        return outcome;
    }

    /** The same for all partitions that this node owns; returns how many these are. */
    public int repairAll() {
        ClusterView view = parts.membership().view();
        int wanted = 0;
        for (int partition = 0; partition < verifications.partitions(); partition++) {
            if (owns(view, partition)) {
                var _ = requests.add(partition, false);
                wanted++;
            }
        }
        nap.end();
        return wanted;
    }

    public RepairStatus status() {
        return new RepairStatus(running, requests.waiting(), slowness(), lastFailure);
    }

    /** Up to which time a partition was last verified, in milliseconds since 1970; {@link Long#MIN_VALUE} for never. */
    public long verifiedAt(int partition) {
        return verifications.verified(partition);
    }

    @Override
    public Mono<SyncReport> stream(int partition, Member from) {
        return Mono.defer(() -> {
            ClusterView view = parts.membership().view();
            return pull(partition, view).stream(copyOf(from, view));
        });
    }

    @Override
    public boolean isRebuilding(int partition) {
        return verifications.isRebuilding(partition);
    }

    @Override
    public Mono<SyncReport> gather(int partition, List<Member> from) {
        return Mono.defer(() -> {
            ClusterView view = parts.membership().view();
            Scope wanted = wanted(partition, view);
            return pull(partition, view)
                    .gather(from.stream()
                            .map(member -> new Pull.Source(
                                    copyOf(member, view),
                                    wanted.above(Math.max(
                                            wanted.copiesAbove(), Ranks.nowOrNext(view, partition, member.id())))))
                            .toList())
                    .doOnNext(report -> verifications.regained(partition));
        });
    }

    private Pull pull(int partition, ClusterView view) {
        return new Pull(own, wanted(partition, view));
    }

    private static Scope wanted(int partition, ClusterView view) {
        return Scope.all(partition, Math.max(0, Ranks.nowOrNext(view, partition, view.self())));
    }

    @Override
    public Mono<SyncReport> give(int partition) {
        return Mono.defer(() -> {
            ClusterView view = parts.membership().view();
            long seed = own.nextSeed();
            return local.trees(Scope.all(partition, 0), seed)
                    .flatMap(trees -> Flux.fromIterable(view.placement().order(partition))
                            .filter(member -> !member.id().equals(view.self()))
                            .concatMap(member -> given(partition, member, view, trees, seed))
                            .reduce(SyncReport.NOTHING, SyncReport::plus));
        });
    }

    private Mono<SyncReport> given(int partition, Member to, ClusterView view, TreesByCopies trees, long seed) {
        Scope owed = Scope.all(partition, Ranks.now(view, partition, to.id()));
        return trees.cellsAbove(owed.copiesAbove()) == 0
                ? Mono.empty()
                : own.with(copyOf(to, view), owed, Strays.NONE, seed)
                        .push(trees)
                        .map(exchanged -> new SyncReport(exchanged.pushed(), exchanged.bytes()));
    }

    @Override
    public String slowness() {
        return refusals.inWords(parts.deadlines().now());
    }

    /** How many partitions of this node it has lost and not been given again. */
    public int rebuilding() {
        return lacking().size();
    }

    /** The partitions of this node that it has lost and not been given again. */
    public List<Integer> lacking() {
        return rebuilding.lost(parts.membership().view());
    }

    /** Looks whether this node has lost something by what an epoch says of its disk, as soon as that is in force. */
    public void lookForLost(ClusterView next) {
        rebuilding.look(next);
    }

    private PartitionCopy copyOf(Member member, ClusterView view) {
        return new RemoteCopy(member, view.epoch(), parts.calls(), parts.deadlines(), refusals);
    }

    /** Repairs one partition, if there is one whose time has come, and waits until it is worth looking again. */
    private Mono<Void> step() {
        return whenQuiet()
                .then(Mono.defer(() -> {
                    Request request = requests.take();
                    if (request != null) {
                        return carryOut(request).doOnNext(request::answer).doOnError(request::fail);
                    }
                    int due = due();
                    return due < 0 ? Mono.empty() : run(due, settledBefore());
                }))
                .then(Mono.defer(this::pause))
                .onErrorResume(e -> {
                    LOG.error("A step of repair ended in an error that nobody expected; it goes on", e);
                    return parts.deadlines().after(ERROR_PAUSE_NANOS);
                });
    }

    private Mono<RepairOutcome> carryOut(Request request) {
        ClusterView view = parts.membership().view();
        int partition = request.partition();
        int rank = Ranks.now(view, partition, view.self());
        List<Member> owners = view.placement().owners(partition, Ranks.VERIFYING);
        if (rank >= Ranks.VERIFYING && !request.here()) {
            // By chance, as one of them may not reach somebody whom the other does.
            return handOver(view, parts.random().nextBoolean() ? owners : owners.reversed(), partition);
        }
        return run(partition, Long.MAX_VALUE)
                .flatMap(outcome -> outcome instanceof RepairOutcome.Mended && rank > 0 && !request.here()
                        ? handOver(view, owners.subList(0, 1), partition) // As the first sees what the second does not.
                        : Mono.just(outcome));
    }

    private Mono<RepairOutcome> handOver(ClusterView view, List<Member> owners, int partition) {
        if (owners.isEmpty()) {
            return run(partition, Long.MAX_VALUE);
        }
        Member to = owners.getFirst();
        return parts.calls()
                .call(to, PeerOperation.REPAIR_RUN, view.epoch(), RepairProtocol.encodePartition(partition))
                .flatMap(reply -> switch (reply) {
                    case CallReply.Done done -> {
                        RepairOutcome outcome = new RepairOutcome.HandedOver(partition, to.id());
                        metrics.ended(outcome);
                        yield Mono.just(outcome);
                    }
                    case ReplicaFailure failure -> handOver(view, owners.subList(1, owners.size()), partition);
                });
    }

    /** But not for ever: what somebody has asked for, or this node has lost, can't wait until clients want less. */
    private Mono<Void> whenQuiet() {
        return parts.backpressure()
                .quiet(parts.deadlines(), () -> requests.waiting() > 0 ? PATIENCE_NANOS : LONG_PATIENCE_NANOS);
    }

    private int due() {
        long now = parts.deadlines().now();
        if (settings.interval().isZero() || now < nextLook) {
            return -1;
        }
        ClusterView view = parts.membership().view();
        nextLook = now + stepNanos(view);
        return schedule.next(view, parts.wallMillis().getAsLong());
    }

    /** So that all partitions are spread over an interval, and two nodes do not stay in step. */
    private long stepNanos(ClusterView view) {
        double chance = 0.75 + parts.random().nextDouble() / 2;
        long step = (long) (chance * settings.interval().toNanos() / Math.max(1, schedule.owned(view)));
        return Math.max(STEP_NANOS_MIN, step);
    }

    private long settledBefore() {
        return parts.wallMillis().getAsLong() - settings.settling().toMillis();
    }

    /** @param before versions from then on are left out */
    private Mono<RepairOutcome> run(int partition, long before) {
        return Mono.defer(() -> {
            ClusterView view = parts.membership().view();
            running = partition;
            Scope scope = new Scope(partition, 0, before, verifications.droppableBefore(partition));
            long at = Math.min(before, settledBefore());
            return new RepairRun(
                            view,
                            scope,
                            own,
                            member -> copyOf(member, view),
                            boots,
                            () -> parts.membership().view().epoch() == view.epoch())
                    .carryOut(at)
                    .doOnNext(this::ended);
        });
    }

    private void ended(RepairOutcome outcome) {
        schedule.tried(outcome.partition(), parts.wallMillis().getAsLong());
        running = null;
        metrics.ended(outcome);
        metrics.exchanged(outcome.exchanged());
        switch (outcome) {
            case RepairOutcome.Verified run -> {
                if (complained) {
                    LOG.info("Partition {} could be verified again", run.partition());
                }
                complained = false;
                lastFailure = run.exchanged().ahead() ? AHEAD : null;
            }
            case RepairOutcome.Mended run -> LOG.debug("Partition {} is mended, but not verified", run.partition());
            case RepairOutcome.HandedOver run -> LOG.debug("{} repairs partition {}", run.to(), run.partition());
            case RepairOutcome.Incomplete run -> {
                complain(run);
                lastFailure = run.reason();
            }
        }
    }

    /** Once, until one can be verified again; and now and then only, where some can and others can't. */
    private void complain(RepairOutcome.Incomplete run) {
        long now = parts.deadlines().now();
        if (!complained && now >= quietUntil) {
            complained = true;
            quietUntil = now + COMPLAINT_NANOS;
            LOG.warn(
                    "Partition {} could not be verified, others may follow, of which no more is logged for now: {}",
                    run.partition(),
                    run.reason());
        }
    }

    private Mono<Void> pause() {
        if (requests.waiting() > 0) {
            return parts.deadlines().after(STEP_NANOS_MIN);
        }
        return nap.take(untilNextLook(), () -> requests.waiting() > 0);
    }

    private long untilNextLook() {
        return settings.interval().isZero()
                ? TimeUnit.HOURS.toNanos(1)
                : Math.max(STEP_NANOS_MIN, nextLook - parts.deadlines().now());
    }

    private static boolean owns(ClusterView view, int partition) {
        int rank = Ranks.now(view, partition, view.self());
        return rank >= 0 && rank < view.fromDefault();
    }

    private double oldestAgeSeconds() {
        ClusterView view = parts.membership().view();
        long oldest = Long.MAX_VALUE;
        for (int partition = 0; partition < verifications.partitions(); partition++) {
            if (owns(view, partition)) {
                oldest = Math.min(oldest, Math.max(startedAt, verifications.verified(partition)));
            }
        }
        return oldest == Long.MAX_VALUE ? 0 : (parts.wallMillis().getAsLong() - oldest) / 1000.0;
    }

    /** Begins nothing more, and breaks off what is in work: it can be begun again at any time. */
    @Override
    public void close() {
        Disposable working = loop;
        if (working != null) {
            working.dispose();
        }
        rebuilding.close();
    }
}
