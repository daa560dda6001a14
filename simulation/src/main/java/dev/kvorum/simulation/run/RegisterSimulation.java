package dev.kvorum.simulation.run;

import dev.kvorum.history.History;
import dev.kvorum.history.check.Anomaly;
import dev.kvorum.history.check.Linearizability;
import dev.kvorum.simulation.client.Recorder;
import dev.kvorum.simulation.client.RegisterClient;
import dev.kvorum.simulation.fault.FaultKind;
import dev.kvorum.simulation.fault.FaultLog;
import dev.kvorum.simulation.fault.FaultPlan;
import dev.kvorum.simulation.network.Network;
import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.node.OperatorSettings;
import dev.kvorum.simulation.node.World;
import dev.kvorum.simulation.verdict.Run;
import dev.kvorum.simulation.verdict.Verdict;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * As {@link Simulation}, with clients of linearizable operations alone, on few keys, under all faults but the loss of whole disks: a node here does not know
 * that it has lost its own.
 */
public final class RegisterSimulation {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long LAST_READS = 20 * SECOND;
    private static final int FACTOR = 3;

    private final long seed;
    private final Timeline timeline = new Timeline();
    private final Bugs bugs = new Bugs();
    private final Recorder recorder = new Recorder();
    private final Chance chance;
    private final Trace trace;
    private final Profile profile;
    private final Cluster cluster;
    private final FaultLog log;
    private final FaultPlan plan;
    private final Set<Integer> without;
    private final int keys;
    private final long thinkMean;

    private RegisterSimulation(Run run) {
        this.seed = run.seed();
        this.chance = Chance.of(run.seed());
        this.trace = new Trace(timeline, run.reader());
        this.profile = Profile.of(chance.branch());
        Network network = new Network(profile.weather(), timeline, chance.branch(), trace);
        World world = new World(timeline, network, profile.disks(), trace, bugs);
        this.cluster =
                new Cluster(world, profile.topology(), OperatorSettings.NONE, profile.settings(), chance.branch());
        this.log = new FaultLog(timeline, trace);
        List<FaultKind> kinds = profile.faults().kinds().stream()
                .filter(kind -> kind != FaultKind.DISK_LOSS)
                .toList();
        this.plan = FaultPlan.of(
                kinds,
                profile.faults().gapMean(),
                profile.faults().lastsMax(),
                profile.lasts(),
                cluster,
                chance.branch());
        this.without = run.without();
        this.keys = chance.from(1, 3);
        this.thinkMean = chance.spread(MILLI, 200 * MILLI);
    }

    /** Runs a seed. */
    public static Verdict run(Run run) {
        return new RegisterSimulation(run).run();
    }

    private Verdict run() {
        trace.comment("profile", profile::toString);
        Fences.within(bugs, trace, this::live);
        History history = new History(recorder.operations(), cluster.losses(), List.of());
        List<Anomaly> anomalies = Linearizability.check(history);
        return new Verdict(
                seed,
                bugs.found(),
                anomalies,
                log.lines(),
                plan.size(),
                history,
                trace.hash(),
                timeline.now(),
                timeline.happened());
    }

    private void live() {
        cluster.machines().forEach(machine -> {
            long skew = profile.skewMillisMax();
            machine.clock().set(Duration.ofMillis(chance.from(-skew, skew)));
        });
        cluster.startAll();
        List<RegisterClient> clients = IntStream.rangeClosed(1, Math.max(2, profile.clients()))
                .mapToObj(this::client)
                .toList();
        clients.forEach(RegisterClient::start);
        plan.begin(timeline, log, without);
        timeline.runUntil(profile.lasts());

        clients.forEach(RegisterClient::stop);
        plan.endAll(log);
        cluster.startAll();
        timeline.runUntil(timeline.now() + 3 * patience());
        client(0).readAll();
        timeline.runUntil(timeline.now() + LAST_READS);
    }

    private RegisterClient client(int number) {
        int from = Math.min(FACTOR, cluster.names().size());
        return new RegisterClient(number, cluster, keys, from, patience(), thinkMean, chance.branch(), recorder);
    }

    /** Longer than a node needs to say that it is too late. */
    private long patience() {
        return 2 * profile.settings().quorum().deadline().toNanos();
    }
}
