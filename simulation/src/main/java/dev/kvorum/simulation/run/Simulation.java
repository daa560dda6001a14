package dev.kvorum.simulation.run;

import dev.kvorum.history.Copy;
import dev.kvorum.history.History;
import dev.kvorum.history.check.Anomaly;
import dev.kvorum.history.check.Checker;
import dev.kvorum.simulation.client.Recorder;
import dev.kvorum.simulation.client.SimulatedClient;
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
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * One seed from the beginning to its verdict: load and faults together, then load that ends and faults that are mended, then time to settle,
 * then a last look at everything. All on the thread that calls it; nothing of it depends on anything but the seed.
 */
public final class Simulation {
    private static final String USUAL = "";
    private static final long SECOND = 1_000_000_000;
    private static final long SETTLE_SLACK = 5 * SECOND;
    private static final long CONVERGING = 60 * SECOND;
    private static final int REPAIRS_MAX = 3;
    private static final long LAST_READS = 20 * SECOND;
    private static final int KEYS_USED = 2;
    private static final long LAST_USES = 60 * SECOND;

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
    private List<Copy> copies = List.of();

    private Simulation(Run run) {
        this.seed = run.seed();
        this.chance = Chance.of(run.seed());
        this.trace = new Trace(timeline, run.reader());
        this.profile = Emphasis.in(Profile.of(chance.branch()), run.seed());
        this.promised = new Promised(profile);
        Network network = new Network(profile.surroundings().weather(), timeline, chance.branch(), trace);
        World world = new World(timeline, network, profile.surroundings().disks(), trace, bugs);
        this.cluster = new Cluster(world, profile.topology(), profile.changes(), profile.settings(), chance.branch());
        this.course = new Course(profile, promised, cluster, timeline, bugs);
        this.log = new FaultLog(timeline, trace);
        this.plan = FaultPlan.of(
                profile.faults().kinds(),
                profile.faults().gapMean(),
                profile.faults().lastsMax(),
                profile.clients().lasts(),
                cluster,
                chance.branch());
        this.without = run.without();
    }

    /** Runs a seed. */
    public static Verdict run(Run run) {
        return new Simulation(run).run();
    }

    private Verdict run() {
        trace.comment("profile", profile::toString);
        Fences.within(bugs, trace, this::live);
        History history = new History(recorder.operations(), cluster.losses(), copies);
        List<Anomaly> anomalies = new Checker(promised.promises()).check(history);
        return new Verdict(
                seed,
                bugs.found(),
                anomalies,
                new Verdict.Faults(log.lines(), plan.size()),
                history,
                new Verdict.Course(trace.hash(), timeline.now(), timeline.happened()),
                USUAL);
    }

    private void live() {
        course.setClocks(chance);
        cluster.startAll();
        List<SimulatedClient> clients = IntStream.rangeClosed(
                        1, profile.clients().count())
                .mapToObj(this::client)
                .toList();
        clients.forEach(SimulatedClient::start);
        plan.begin(timeline, log, without);
        timeline.runUntil(profile.clients().lasts());

        clients.forEach(SimulatedClient::stop);
        plan.endAll(log);
        cluster.startAll();
        timeline.runUntil(timeline.now() + 2 * course.patience() + SETTLE_SLACK);
        course.endChanges();
        converge();
        cluster.leftovers().forEach(bugs::add);
        copies = cluster.copies(profile.workload().names()); // Before the last reads, which mend what they meet.

        client(0)
                .readAll(
                        profile.workload().names(), cluster.topology().members().size());
        timeline.runUntil(timeline.now() + LAST_READS);
        if (profile.isCalm()) {
            requireAllServed();
        }
        if (promised.converges()) {
            requireWhole();
        }
    }

    /** When all faults are over no member lacks anything, and each serves writes and reads that need all. They are no part of the history: disks were looked at before. */
    private void requireWhole() {
        cluster.rebuilding().forEach(bugs::add);
        AtomicBoolean used = new AtomicBoolean();
        client(0, new Recorder())
                .useAll(
                        profile.workload().names().stream().limit(KEYS_USED).toList(),
                        cluster.topology().members().size(),
                        () -> used.set(true));
        course.runUntil(used::get, LAST_USES);
        if (!used.get()) {
            bugs.add("Long after all faults not every member can write to all replicas and read from them");
        }
    }

    /**
     * By hints, or as an operator would who sees that some partition could not be verified: where calls time out now and then it may take more than one run. Hints are brought first: one
     * that is brought after a comparison is newer than that.
     */
    private void converge() {
        if (promised.convergesByHints()) {
            timeline.runUntil(timeline.now() + CONVERGING);
            return;
        }
        course.runUntil(() -> cluster.hintsWaiting() == 0, CONVERGING);
        long[] before = cluster.verified();
        for (int i = 0; i < REPAIRS_MAX && !isLater(cluster.verified(), before); i++) {
            cluster.repairAll();
            timeline.runUntil(timeline.now() + CONVERGING);
        }
    }

    private static boolean isLater(long[] times, long[] before) {
        return IntStream.range(0, times.length).allMatch(i -> times[i] > before[i]);
    }

    /** Where nothing is wrong every operation is done, and no replica misses a write. */
    private void requireAllServed() {
        if (cluster.hintsKept() > 0) {
            bugs.add("In a cluster without any fault " + cluster.hintsKept() + " hints were kept");
        }
        recorder.operations().stream()
                .filter(operation -> !operation.answer().isOk())
                .forEach(operation -> bugs.add("In a cluster without any fault " + operation.inWords()));
    }

    private SimulatedClient client(int number) {
        return client(number, recorder);
    }

    private SimulatedClient client(int number, Recorder of) {
        SimulatedClient.Habits habits = new SimulatedClient.Habits(
                profile.workload(), course.patience(), profile.clients().loyalty());
        return new SimulatedClient(number, cluster, habits, chance.branch(), of);
    }
}
