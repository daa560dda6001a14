package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static dev.kvorum.node.cluster.PeerCalls.cellOn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.Store;
import io.micrometer.core.instrument.Counter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica that missed writes comes to hold them, though nobody writes them again: by hints, and by being read. */
@Timeout(120)
@Tag("check")
class HintsIT {
    private static final AtomicLong CELLS = new AtomicLong();

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                3,
                "--kvorum.peer.timeout=5s",
                "--kvorum.quorum.deadline=15s",
                "--kvorum.peer.silence-max=60s"); // None of these freezes ends with its connection given up.
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void startAllAgain() {
        cluster.startAll();
    }

    private static TestNode n1() {
        return cluster.node(0);
    }

    private static TestNode n2() {
        return cluster.node(1);
    }

    private static TestNode n3() {
        return cluster.node(2);
    }

    private static List<String> put(NodeClient client, String prefix, int keys, String value) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            names.add(prefix + i);
            assertThat(client.put(prefix + i, value + i, "2/3").statusCode()).isEqualTo(201);
        }
        return names;
    }

    private static long owed(TestNode coordinator, TestNode to) {
        HintBacklog backlog = coordinator.bean(Store.class).hints().waiting().get(to.id());
        return backlog == null ? 0 : backlog.hints();
    }

    private static void eventuallyEqual(TestNode one, TestNode other, Collection<String> keys) {
        eventually(
                one.id() + " holds what " + other.id() + " does",
                () -> keys.stream().allMatch(key -> cellOn(one, key).equals(cellOn(other, key))));
        assertThat(keys).allSatisfy(key -> assertThat(cellOn(one, key)).isPresent());
    }

    @Test
    void nodeThatWasDownComesToHoldEveryWriteItMissed() {
        List<String> keys = put(n1().client(), "before-", 10, "old");
        n3().stop();
        put(n1().client(), "before-", 5, "new");
        assertThat(n2().client().delete("before-9", "2/3").statusCode()).isEqualTo(202);
        keys.addAll(put(n1().client(), "by-n1-", 100, "value"));
        keys.addAll(put(n2().client(), "by-n2-", 100, "value"));
        n1().client().put("long", new byte[500_000], "2/3");
        keys.add("long");

        cluster.start(n3());

        eventuallyEqual(n3(), n1(), keys);
        eventually("nothing is owed any more", () -> owed(n1(), n3()) + owed(n2(), n3()) == 0);
        assertThat(text(n3().client().get("before-0", "1/3"))).isEqualTo("new0");
        assertThat(cellOn(n3(), "before-9"))
                .hasValueSatisfying(cell -> assertThat(cell.isTombstone()).isTrue());
    }

    @Test
    void hintsOutliveARestartOfTheirCoordinator() {
        n3().stop();
        List<String> keys = put(n1().client(), "outlives-", 20, "value");
        eventually("all are owed", () -> owed(n1(), n3()) == 20);

        n1().stop();
        cluster.start(n1());

        assertThat(owed(n1(), n3())).isEqualTo(20);
        assertThat(owed(n2(), n3())).isZero();

        cluster.start(n3());

        eventuallyEqual(n3(), n2(), keys);
    }

    @Test
    void nodeThatWasFrozenComesToHoldWhatItMissed() {
        List<String> keys;
        try (Fault frozen = n3().proxy().freeze()) {
            keys = put(n1().client(), "frozen-", 50, "value");
            eventually("all are owed", () -> owed(n1(), n3()) == 50);
            assertThat(cellOn(n3(), "frozen-0")).isEmpty();
        }

        eventuallyEqual(n3(), n1(), keys);
        eventually("nothing is owed any more", () -> owed(n1(), n3()) == 0);
    }

    @Test
    void nodeThatWasFrozenUnderManyWritesIsSparedSomeAndComesToHoldAll() {
        List<String> keys = new ArrayList<>();
        List<HttpResponse<byte[]>> answers = new ArrayList<>();
        put(n1().client(), "warm-", 50, "value"); // Connections, and code that is not all new.
        Counter spared = n1().meters()
                .get("kvorum.replica.writes.spared")
                .tag("member", n3().id())
                .counter();
        double before = spared.count();
        try (Fault frozen = n3().proxy().freeze()) {
            eventually("it is spared writes, as enough wait for it", () -> {
                List<CompletableFuture<HttpResponse<byte[]>>> burst = new ArrayList<>();
                for (int i = 0; i < 96; i++) {
                    String key = "many-" + keys.size();
                    keys.add(key);
                    burst.add(n1().client().putLater(key, "value", "2/3"));
                }
                burst.forEach(answer -> answers.add(answer.join()));
                return spared.count() > before;
            });
        }

        assertThat(answers).allMatch(answer -> answer.statusCode() == 201);
        eventuallyEqual(n3(), n1(), keys);
        eventually("nothing is owed any more", () -> owed(n1(), n3()) == 0);
    }

    @Test
    void writeToOneReplicaIsOwedToNoOther() {
        String key = "single";
        TestNode owner = cluster.replicasOf(key, 1).getFirst();
        TestNode coordinator = cluster.othersThan(List.of(owner)).getFirst();
        owner.stop();

        assertThat(coordinator.client().put(key, "value", "1/1").statusCode()).isEqualTo(504);
        cluster.start(owner);

        eventually("its owner has it", () -> cellOn(owner, key).isPresent());
        assertThat(cluster.othersThan(List.of(owner)))
                .allSatisfy(node -> assertThat(cellOn(node, key)).isEmpty());
    }

    /** Each is newer than those before, also within a millisecond. */
    private static Cell cell(String key, String value, int copies) {
        Version now = new Version((System.currentTimeMillis() << 16) + CELLS.incrementAndGet(), 7);
        return Draft.ofValue(value.getBytes(StandardCharsets.UTF_8)).stamp(Key.of(key), now, copies);
    }

    @Test
    void replicaThatAReadFindsBehindIsMendedButAKeyGetsNoMoreCopies() {
        String single = "one-copy";
        PeerCalls.write(cluster.replicasOf(single, 1).getFirst(), single, cell(single, "single", 1));
        PeerCalls.write(n1(), "stale", cell("stale", "old", 3));
        Cell newest = cell("stale", "new", 3);
        PeerCalls.write(n2(), "stale", newest);

        assertThat(text(n1().client().get(single, "3/3"))).isEqualTo("single");
        assertThat(text(n1().client().get("stale", "3/3"))).isEqualTo("new");

        eventually(
                "all replicas have the newest",
                () -> cluster.nodes().stream()
                        .allMatch(node ->
                                cellOn(node, "stale").filter(newest::equals).isPresent()));
        eventually("the coordinator has heard of both", () -> n1().counted("kvorum.read.repairs.mended") >= 2);
        assertThat(cluster.othersThan(cluster.replicasOf(single, 1)))
                .allSatisfy(node -> assertThat(cellOn(node, single)).isEmpty());
    }

    @Test
    void readThatMendsFirstIsAnsweredWhenItsQuorumHoldsTheNewest() {
        n1().stop();
        cluster.start(n1(), "--kvorum.read.read-repair=blocking");
        try {
            Cell newest = cell("monotonic", "new", 3);
            PeerCalls.write(n2(), "monotonic", newest);

            assertThat(text(n1().client().get("monotonic", "3/3"))).isEqualTo("new");

            assertThat(cluster.nodes())
                    .allSatisfy(node -> assertThat(cellOn(node, "monotonic")).contains(newest));

            Cell other = cell("out-of-reach", "new", 3);
            PeerCalls.write(n2(), "out-of-reach", other);
            n3().stop();

            assertThat(n1().client().get("out-of-reach", "2/3").statusCode()).isEqualTo(200);
            assertThat(cellOn(n1(), "out-of-reach")).contains(other);
        } finally {
            n1().stop(); // The others are mended behind the answer, as by default.
        }
    }
}
