package dev.kvorum.load.chaos;

import dev.kvorum.history.History;
import dev.kvorum.history.HistoryFile;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request.Mode;
import dev.kvorum.history.check.Anomaly;
import dev.kvorum.history.check.Checker;
import dev.kvorum.history.check.Linearizability;
import dev.kvorum.history.check.Promises;
import dev.kvorum.load.chaos.Settling.Settled;
import dev.kvorum.load.chaos.client.Census;
import dev.kvorum.load.chaos.client.OpenLoop;
import dev.kvorum.load.chaos.client.Recorder;
import dev.kvorum.load.chaos.client.Target;
import dev.kvorum.load.chaos.client.Workload;
import dev.kvorum.load.chaos.copies.CopyReader;
import dev.kvorum.load.chaos.copies.Source;
import dev.kvorum.load.chaos.fault.FaultKind;
import dev.kvorum.load.chaos.fault.FaultLog;
import dev.kvorum.load.chaos.fault.FaultSchedule;
import dev.kvorum.load.chaos.fault.Havoc;
import dev.kvorum.load.chaos.fault.MemberChanges;
import dev.kvorum.load.chaos.fault.Scene;
import dev.kvorum.load.chaos.fault.Tools;
import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One run: load and faults on a cluster of processes, then quiet, until all replicas are identical or a minute is over; then every key is read,
 * and the history of all that is judged.
 */
public final class ChaosRun {
    private static final Duration IDENTICAL_MAX = Duration.ofMinutes(1);
    private static final double OK_SHARE_MIN = 0.3;

    /** Any two branches of the seed differ in this. */
    private static final long WORKLOAD = 0x9e3779b97f4a7c15L;

    private final ChaosOptions options;
    private final Consumer<String> say;

    /** @param say tells whoever watches what happens, a line at a time */
    public ChaosRun(ChaosOptions options, Consumer<String> say) {
        this.options = options;
        this.say = say;
    }

    /** Runs it to its end, tells the verdict, and leaves it in the folder. */
    public ChaosVerdict run() throws IOException, InterruptedException {
        say.accept("chaos, seed " + options.seed() + ", in " + options.folder());
        Path file = Files.createDirectories(options.folder()).resolve("history.jsonl");
        ChaosVerdict verdict;
        try (ChaosCluster cluster = ChaosCluster.start(options, say);
                Recorder recorder = new Recorder(file)) {
            verdict = run(cluster, recorder, file);
            if (verdict.isGood()) {
                cluster.forgetData();
            }
        }
        Files.write(options.folder().resolve("faults.log"), verdict.faults());
        Files.writeString(options.folder().resolve("verdict.txt"), verdict.report());
        say.accept(verdict.report());
        return verdict;
    }

    private ChaosVerdict run(ChaosCluster cluster, Recorder recorder, Path file)
            throws IOException, InterruptedException {
        FaultLog log = new FaultLog(recorder::nanos, say);
        Workload workload = new Workload(options.seed() ^ WORKLOAD);
        LocalCluster nodes = cluster.processes();
        Scene scene = Scene.of(nodes, log);
        Path commandLog = options.folder().resolve("commands.log");
        MemberChanges changes = new MemberChanges(scene, options.nodeJar(), commandLog);
        Tools tools = new Tools(
                cluster.disks(),
                cluster.clocks(),
                ChaosCluster.AHEAD_MAX,
                ChaosCluster.TOMBSTONE_GRACE,
                recorder::nanos,
                recorder::add);
        try (OpenLoop clients = new OpenLoop(() -> targets(cluster, changes), workload, recorder)) {
            Havoc havoc = new Havoc(scene, changes, tools);
            havoc.begin(FaultSchedule.of(options.seed(), options.length(), kinds(cluster)));
            clients.run(options.size().rate(), options.length());
            log.add("the end of load and faults");
            havoc.end();
            log.add("all nodes serve");
            Settled settled = settle(nodes, log);
            examine(clients, log);
            havoc.tally().lacking(options.named()).forEach(log::complain);
            recorder.addAll(settled.copies());
            recorder.close();
            return judge(
                    HistoryFile.read(file),
                    clients.census().inWords() + havoc.tally().inWords(),
                    settled,
                    log);
        }
    }

    /** Counted from the end of the last fault: a node that starts is still down. */
    private Settled settle(LocalCluster nodes, FaultLog log) throws InterruptedException {
        List<Source> sources = nodes.nodes().stream()
                .map(node -> new Source(node.id(), node.api(), node.peer()))
                .toList();
        try (CopyReader reader = new CopyReader()) {
            Settled settled = new Settling(reader, say).await(sources, System.nanoTime(), IDENTICAL_MAX);
            log.add(settled.after().isPresent() ? "all replicas are identical" : "replicas still differ");
            return settled;
        }
    }

    /** What should be so whatever the faults were. */
    private static void examine(OpenLoop clients, FaultLog log) throws InterruptedException {
        Census census = clients.census();
        if (census.okShare() < OK_SHARE_MIN) {
            log.complain("only " + Math.round(100 * census.okShare())
                    + " % of the operations were answered: that proves little");
        }
        if (!clients.readAll()) {
            log.complain("faults are over, but not every key can be read from all of its replicas");
        }
        census.surprises().forEach(log::complain);
    }

    private ChaosVerdict judge(History history, String counts, Settled settled, FaultLog log) throws IOException {
        List<Anomaly> anomalies = new ArrayList<>(new Checker(promises()).check(history));
        anomalies.addAll(Linearizability.check(linearizable(history)));
        new ViolationPages(options.folder().resolve("violations"), history, anomalies).write();
        String numbers = counts
                + String.format(
                        Locale.ROOT,
                        "  %,d operations and %,d copies are in the history%n",
                        history.operations().size(),
                        history.copies().size());
        return new ChaosVerdict(options, anomalies, log.complaints(), settled.after(), numbers, log.lines());
    }

    private static History linearizable(History history) {
        List<Operation> operations = history.operations().stream()
                .filter(operation -> operation.request().mode() == Mode.LINEARIZABLE)
                .toList();
        return new History(operations, List.of(), List.of());
    }

    private List<FaultKind> kinds(ChaosCluster cluster) {
        return options.faults().stream()
                .filter(kind -> !kind.setsClock() || cluster.clocks().isPresent())
                .toList();
    }

    private static List<Target> targets(ChaosCluster cluster, MemberChanges changes) {
        return cluster.processes().nodes().stream()
                .filter(changes::isKnown)
                .map(node -> new Target(node.id(), node.api(), () -> lifeOf(node, cluster)))
                .toList();
    }

    /** None while the node goes by a wrong clock that it has begun with: versions that it reads may be too far from that for it to take note of them. */
    private static int lifeOf(NodeProcess node, ChaosCluster cluster) {
        boolean isWrong = cluster.clocks()
                .filter(clocks -> clocks.hasBegunWrong(node.id()))
                .isPresent();
        return isWrong ? Operation.LIFE_UNKNOWN : node.life();
    }

    private static Promises promises() {
        return Promises.ofPlainQuorums()
                .withConvergence()
                .withAgreeingClocks()
                .withTombstonesGoing()
                .withRebuiltDisks();
    }
}
