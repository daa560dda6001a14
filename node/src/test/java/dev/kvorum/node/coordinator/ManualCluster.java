package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.clock.ClockObjection;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.HintMetrics;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.hint.ManualHintStore;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.topology.Member;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Three replicas that answer when told to, seen from {@code n1}, on a clock that stands still and a timer that the test moves. */
final class ManualCluster {
    static final long NOW = 1_700_000_000_000L;
    static final Duration DEADLINE = Duration.ofSeconds(5);
    static final Duration DELAY_MIN = Duration.ofMillis(1);
    static final Duration DELAY_MAX = Duration.ofMillis(20);
    static final HedgeDelay HEDGE_DELAY = new HedgeDelay(DELAY_MIN.toNanos(), DELAY_MAX.toNanos());

    final ManualReplica n1 = new ManualReplica("n1");
    final ManualReplica n2 = new ManualReplica("n2");
    final ManualReplica n3 = new ManualReplica("n3");
    final ManualReplica n4 = new ManualReplica("n4"); // Named by no topology, until a test does.
    final Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3"));
    final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    final HybridClock clock = new HybridClock(() -> NOW, 42, Duration.ofSeconds(10), 0);
    final InFlight inFlight = new InFlight();
    final MeterRegistry meters = new SimpleMeterRegistry();
    final Deadlines deadlines = new Deadlines(() -> timer.now(TimeUnit.NANOSECONDS), () -> {});
    final ManualRoom room = new ManualRoom();
    final ManualHintStore hints = new ManualHintStore();
    FanOut fanOut = FanOut.ALL;
    int budgetPercent = 10;
    ReadSettings.Repair repair = ReadSettings.Repair.BACKGROUND;
    int repairPercent = 10;
    Optional<ClockObjection> objection = Optional.empty();
    private final Map<String, ManualReplica> replicas = new LinkedHashMap<>();
    private final Map<String, ObservedReplica> observed = new LinkedHashMap<>();
    private final ReplicaPlans plans;
    private @Nullable ReadCoordinator reads;
    private @Nullable Hedging hedging;

    ManualCluster() {
        replicas.put("n1", n1);
        replicas.put("n2", n2);
        replicas.put("n3", n3);
        replicas.put("n4", n4);
        var _ = timer.schedulePeriodically(deadlines::sweep, 1, 1, TimeUnit.MILLISECONDS);
        // Never the other of two: the order is that of the owners, as long as all have cost the same.
        this.plans = new ReplicaPlans(
                membership, this::observed, new ReadOrder(Placement.NEAR, HEDGE_DELAY, bound -> 0), HEDGE_DELAY);
    }

    WriteCoordinator writes() {
        Hints hints = new Hints(this.hints, new HintMetrics(meters, this.hints, () -> NOW));
        return new WriteCoordinator(plans, new Stamping(clock, () -> objection), DEADLINE, deadlines, inFlight, hints);
    }

    /** Reads as the fields say when this is first called. */
    ReadCoordinator reads() {
        if (reads == null) {
            ReadSettings settings = Settings.of(ReadSettings.class)
                    .with("hedgeDelayMin", DELAY_MIN)
                    .with("hedgeDelayMax", DELAY_MAX)
                    .with("hedgeBudget", budgetPercent)
                    .with("readRepair", repair)
                    .with("repairBudget", repairPercent)
                    .get();
            hedging = new Hedging(settings);
            ReadPolicy policy = new ReadPolicy(
                    DEADLINE,
                    fanOut,
                    hedging,
                    new Mending(settings, new ReadRepair(new ReadRepairMetrics(meters))),
                    room);
            reads = new ReadCoordinator(plans, clock, () -> NOW, deadlines, policy, new ReadMetrics(meters, fanOut));
        }
        return reads;
    }

    ReplicaPlans plans() {
        return plans;
    }

    /** Takes a hedge out of the budget of the reads. */
    boolean spendHedge() {
        var _ = reads();
        return Objects.requireNonNull(hedging).budget().spend();
    }

    double counted(String name) {
        return meters.get(name).counter().count();
    }

    /** The replica as coordinators see it: with what they have seen of it so far. */
    ObservedReplica observed(Member member) {
        return observed.computeIfAbsent(
                member.id(), id -> ObservedReplicas.of(on(member), member.zone(), deadlines::now));
    }

    private ManualReplica on(Member member) {
        ManualReplica replica = replicas.get(member.id());
        if (replica == null) {
            throw new AssertionError("there is no replica on " + member.id());
        }
        return replica;
    }
}
