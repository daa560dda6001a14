package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.DiskLoss;
import dev.kvorum.load.cluster.ClusterLaunch;
import dev.kvorum.load.cluster.JvmOptions;
import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.cluster.NodeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What havoc does to three real node processes, and what it complains of. */
@Tag("check")
@Timeout(600)
class HavocIT {
    private static final Path NODE_JAR =
            Path.of("..", "node", "target", "kvorum-node.jar").toAbsolutePath().normalize();
    private static final Duration GRACE = Duration.ofMinutes(5);
    private static final long PAUSE_MILLIS = 20;
    private static final List<String> JVM = JvmOptions.with(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    private static final Map<String, String> SETTINGS = Map.of(
            "kvorum.storage.memory", "48MB",
            "kvorum.repair.interval", "15s",
            "kvorum.repair.settling", "2s",
            "kvorum.hints.age-max", "40s",
            "kvorum.repair.tombstone-grace", GRACE.toSeconds() + "s");
    private static final PlannedFault KILL_ALL =
            new PlannedFault(Duration.ZERO, FaultKind.KILL_ALL, Duration.ofSeconds(10), 0);

    @TempDir
    private Path folder;

    private final long begun = System.nanoTime();
    private final FaultLog log = new FaultLog(this::nanos, _ -> {});
    private final List<DiskLoss> losses = new CopyOnWriteArrayList<>();
    private LocalCluster cluster;
    private Havoc havoc;

    private long nanos() {
        return System.nanoTime() - begun;
    }

    @BeforeEach
    void start() throws Exception {
        assertThat(NODE_JAR).as("the node's jar, which make build makes").isReadable();
        Path data = Files.createDirectory(folder.resolve("data"));
        cluster = LocalCluster.start(new ClusterLaunch(
                new ClusterLaunch.Program(NODE_JAR, JVM, SETTINGS),
                ClusterLaunch.Shape.of(3, 3, 16),
                new ClusterLaunch.Folders(folder.resolve("nodes"), data, false)));
        Scene scene = Scene.of(cluster, log);
        MemberChanges changes = new MemberChanges(scene, NODE_JAR, folder.resolve("commands.log"));
        havoc = new Havoc(
                scene,
                changes,
                new Tools(Map.of(), Optional.empty(), Duration.ofSeconds(2), GRACE, this::nanos, losses::add));
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    @Test
    void nodeThatEndsByItselfIsAComplaintThoughTheNextFaultStartsItAgain() throws Exception {
        endByItself(cluster.node(2));

        havoc.begin(new FaultSchedule(List.of(KILL_ALL)));
        await(() -> !linesOf("kill -9").isEmpty());
        havoc.end();

        assertThat(log.complaints()).singleElement().asString().startsWith("n2 has ended by itself");
        assertThat(cluster.nodes()).allMatch(NodeProcess::isAlive);
        assertThat(havoc.tally().lacking(List.of(FaultKind.KILL_ALL))).isEmpty();
    }

    @Test
    void nodeThatEndsByItselfIsStartedAgainThoughNoFaultBefallsIt() throws Exception {
        havoc.begin(new FaultSchedule(List.of()));

        endByItself(cluster.node(3));

        await(() -> !linesOf("ready").isEmpty());
        havoc.end();
        assertThat(log.complaints()).singleElement().asString().startsWith("n3 has ended by itself");
        assertThat(cluster.node(3).management().isReady()).isTrue();
    }

    @Test
    void databaseThatIsSetAsideForNoReasonIsAComplaintAndLostWhenTheNodeWasStarted() throws Exception {
        havoc.begin(new FaultSchedule(List.of(KILL_ALL)));
        NodeProcess last = cluster.node(3);
        await(() -> !last.isAlive());
        DataFolder data = new DataFolder(cluster.dataOf(last));
        // As a node leaves it that has begun with an empty database; here it keeps its own, as no other is there yet to
        // rebuild it from.
        Files.createDirectory(data.path().resolve("cells-until-1700000000000"));
        assertThat(linesOf("start")).as("was there before the start").isEmpty();

        await(() -> !linesOf("start").isEmpty());
        havoc.end();

        assertThat(log.complaints())
                .singleElement()
                .asString()
                .startsWith("n3 has set its database aside, though nothing was done to its disk");
        assertThat(losses).singleElement().satisfies(loss -> {
            assertThat(loss.node()).isEqualTo("n3");
            // Not when the others were ready, and it was looked at.
            assertThat(loss.at()).isLessThan(timeOf(linesOf("ready").getFirst()));
            assertThat(loss.regained()).isBetween(loss.at(), nanos());
        });
        assertThat(data.setAside()).isEmpty();
    }

    /** For as long as a test may last. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static void endByItself(NodeProcess node) throws InterruptedException {
        ProcessHandle process = ProcessHandle.of(node.pid()).orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
        await(() -> !node.isAlive());
    }

    private List<String> linesOf(String words) {
        return log.lines().stream()
                .filter(line -> line.contains(" s  " + words + " "))
                .toList();
    }

    private static long timeOf(String line) {
        return (long) (Double.parseDouble(line.strip().split(" ", 2)[0]) * 1e9);
    }
}
