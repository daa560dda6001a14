package dev.kvorum.simulation.run;

import dev.kvorum.history.History;
import dev.kvorum.history.Operation;
import dev.kvorum.history.check.Anomaly;
import dev.kvorum.history.check.Linearizability;
import dev.kvorum.simulation.client.Recorder;
import dev.kvorum.simulation.client.RegisterClient;
import dev.kvorum.simulation.fault.FaultKind;
import dev.kvorum.simulation.fault.FaultLog;
import dev.kvorum.simulation.fault.FaultPlan;
import dev.kvorum.simulation.network.Network;
import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.node.World;
import dev.kvorum.simulation.verdict.Run;
import dev.kvorum.simulation.verdict.Verdict;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * As {@link Simulation}, with clients of linearizable operations alone, on few keys, and under the same faults; also while members join and leave. A member that loses its disk knows
 * it here, and is rebuilt before another loses its own.
 */
public final class RegisterSimulation {
    /** As {@code make simulate} calls it. */
    static final String KIND = "registers";

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long SETTLING = 30 * SECOND; // Ten of them pass before a node begins with it.
    private static final long LAST_READS = 40 * SECOND;
    private static final int FACTOR = 3;
    private static final double DISK_LOSS = 0.4;

    private final long seed;
    private final Timeline timeline = new Timeline();
    private final Bugs bugs = new Bugs();
    private final Recorder recorder = new Recorder();
    private final Chance chance;
    private final Trace trace;
    private final Profile profile;
    private final Promised promised;
    private final Cluster cluster;
    private final Course course;
    private final FaultLog log;
    private final FaultPlan plan;
    private final Set<Integer> without;
    private final RegisterClient.Habits habits;

    private RegisterSimulation(Run run) {
        this.seed = run.seed();
        this.chance = Chance.of(run.seed());
        this.trace = new Trace(timeline, run.reader());
        this.profile = Emphasis.ofRegistersIn(Profile.of(chance.branch()), run.seed());
        this.promised = new Promised(profile);
        Network network = new Network(profile.surroundings().weather(), timeline, chance.branch(), trace);
        World world = new World(timeline, network, profile.surroundings().disks(), trace, bugs);
        this.cluster = new Cluster(world, profile.topology(), profile.changes(), profile.settings(), chance.branch());
        this.course = new Course(profile, promised, cluster, timeline, bugs);
        cluster.loseOneAtATime();
        this.log = new FaultLog(timeline, trace);
        this.plan = FaultPlan.of(
                kinds(),
                profile.faults().gapMean(),
                profile.faults().lastsMax(),
                profile.clients().lasts(),
                cluster,
                chance.branch());
        this.without = run.without();
        this.habits = new RegisterClient.Habits(
                chance.from(1, 3),
                Math.min(FACTOR, cluster.names().size()),
                course.patience(),
                chance.spread(MILLI, 200 * MILLI));
    }

    /** Disks are lost where that is promised to lose nothing: others have a majority, none of them is left behind, and clocks do not differ by more than is taken. */
    private List<FaultKind> kinds() {
        List<FaultKind> kinds = new ArrayList<>(profile.faults().kinds());
        kinds.remove(FaultKind.DISK_LOSS);
        if (!promised.converges()) {
            kinds.removeIf(FaultKind::losesDisks);
        }
        if (profile.clients().ages()) {
            kinds.removeIf(kind -> kind
                    == FaultKind.ABSENCE); // Those that were outlived begin empty: as many disks as there are of them.
        }
        boolean mayLose = profile.topology().members().size() >= FACTOR
                && profile.changes().downMax() == 0
                && promised.converges();
        if (!kinds.isEmpty() && mayLose && chance.is(DISK_LOSS)) {
            kinds.add(FaultKind.DISK_LOSS);
        }
        return kinds;
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
                new Verdict.Faults(log.lines(), plan.size()),
                history,
                new Verdict.Course(trace.hash(), timeline.now(), timeline.happened()),
                KIND);
    }

    private void live() {
        course.setClocks(chance);
        cluster.startAll();
        List<RegisterClient> clients = IntStream.rangeClosed(
                        1, Math.max(2, profile.clients().count()))
                .mapToObj(this::client)
                .toList();
        clients.forEach(RegisterClient::start);
        plan.begin(timeline, log, without);
        timeline.runUntil(profile.clients().lasts());

        clients.forEach(RegisterClient::stop);
        plan.endAll(log);
        cluster.startAll();
        timeline.runUntil(timeline.now() + 3 * course.patience());
        course.endChanges();
        timeline.runUntil(timeline.now() + SETTLING);
        if (promised.converges()) {
            cluster.openRegisters().forEach(open -> bugs.add("Long after all faults " + open));
        }
        client(0).readAll(this::unanswered);
        timeline.runUntil(timeline.now() + LAST_READS);
        if (profile.isCalm()) {
            requireWrites();
        }
    }

    private void unanswered(String key) {
        if (promised.converges()) {
            bugs.add("Long after all faults nobody answers a read of " + key);
        }
    }

    private void requireWrites() {
        if (recorder.operations().stream().noneMatch(Operation::isAcknowledgedWrite)) {
            bugs.add("In a cluster without any fault nothing was written");
        }
    }

    private RegisterClient client(int number) {
        return new RegisterClient(number, cluster, habits, chance.branch(), recorder);
    }
}
