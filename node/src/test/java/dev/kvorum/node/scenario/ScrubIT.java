package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.storage.rocks.StoredBytes;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk changes what nobody reads, and no comparison comes by. The scrub finds it. */
@Timeout(120)
@Tag("check")
class ScrubIT {
    private static final List<String> KEYS =
            IntStream.range(0, 50).mapToObj(i -> "key-" + i).toList();

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(directory, 3, "--kvorum.repair.interval=0", "--kvorum.repair.scrub-interval=365d");
        KEYS.forEach(key -> assertThat(cluster.node(0)
                        .client()
                        .put(key, "value of " + key, "3/3")
                        .statusCode())
                .isEqualTo(201));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static HttpResponse<byte[]> scrub(TestNode node, String method) {
        return new NodeClient(node.managementPort()).send(method, "/actuator/scrub", BodyPublishers.noBody());
    }

    private static void scrubNow(TestNode node) {
        assertThat(text(scrub(node, "POST"))).contains("\"begun\":true");
        eventually(
                "it has read all",
                () -> text(scrub(node, "GET")).contains("\"running\":false")
                        && node.meters().get("kvorum.scrub.bytes").counter().count() > 0);
    }

    private void rot(TestNode node, String key) {
        StoredBytes.change(directory.resolve(node.id()).resolve("cells"), Key.of(key), bytes -> {
            bytes[Cell.HEADER_BYTES] ^= 0x20;
            return bytes;
        });
    }

    @Test
    void rottenCellsThatNobodyReadsAreFoundAndBroughtAnewBeforeASecondReplicaRots() {
        TestNode rotten = cluster.node(1);
        rotten.stop();
        rot(rotten, "key-7");
        rot(rotten, "key-8");
        rotten.start();
        assertThat(rotten.meters().get("kvorum.storage.corruptions").counter().count())
                .as("nobody has read them")
                .isZero();

        scrubNow(rotten);

        assertThat(rotten.meters().get("kvorum.storage.corruptions").counter().count())
                .isGreaterThanOrEqualTo(2);
        assertThat(text(scrub(rotten, "GET"))).contains("\"damagedCells\":2");
        eventually(
                "the replica has the right ones again",
                () -> KEYS.stream()
                        .allMatch(key -> text(rotten.client().get(key, "3/3")).equals("value of " + key)));
        // The other two lose theirs: what was brought anew is the only one that is left.
        for (TestNode other : List.of(cluster.node(0), cluster.node(2))) {
            other.stop();
            rot(other, "key-7");
            other.start();
        }
        eventually(
                "the one that was mended has it",
                () -> text(rotten.client().get("key-7", "1/1")).equals("value of key-7")
                        || text(rotten.client().get("key-7", "1/3")).equals("value of key-7"));
    }

    @Test
    void healthyNodeFindsNothing() {
        TestNode healthy = cluster.node(0);

        scrubNow(healthy);

        assertThat(text(scrub(healthy, "GET")))
                .contains("\"damagedCells\":0", "\"damagedFiles\":0", "\"unread\":0", "\"ahead\":0");
        assertThat(healthy.meters().get("kvorum.scrub.age").gauge().value()).isLessThan(60);
        assertThat(text(new NodeClient(healthy.managementPort())
                        .send("GET", "/actuator/prometheus", BodyPublishers.noBody())))
                .contains("kvorum_scrub_age_seconds", "kvorum_scrub_bytes_total", "kvorum_clock_ahead_cells");
    }

    /** As found by a read: the node is not ready, and says which file it is and what to do. */
    @Test
    void rottenBlockThatNobodyReadsMakesTheNodeUnready() throws IOException {
        TestNode rotten = cluster.node(1);
        rotten.stop();
        rotten.start(); // What its log had is a file now.
        rotten.stop();
        Path table = damage(rotten, true);
        rotten.start();

        scrubNow(rotten);

        eventually("it is not ready", () -> readiness(rotten).statusCode() == 503);
        assertThat(text(readiness(rotten))).contains(table.getFileName().toString(), "is damaged");
    }

    private static HttpResponse<byte[]> readiness(TestNode node) {
        return new NodeClient(node.managementPort()).send("GET", "/actuator/health/readiness", BodyPublishers.noBody());
    }

    /** What a start has to read is damaged: nobody can tell what else is. */
    @Test
    void damagedTableOfNotesIsALossThatIsMadeGood() throws IOException {
        TestNode rotten = cluster.node(1);
        rotten.stop();
        rotten.start();
        rotten.stop();
        Path _ = damage(rotten, false);
        rotten.start();

        eventually(
                "it holds all again",
                () -> KEYS.stream()
                        .allMatch(key -> text(rotten.client().get(key, "3/3")).equals("value of " + key)));
        assertThat(directory.resolve("n2").toFile().list()).anyMatch(name -> name.startsWith("cells-until-"));
    }

    /** A bit flips in the first block of a table, of those that hold cells or of the others. */
    private Path damage(TestNode node, boolean ofCells) throws IOException {
        Path database = directory.resolve(node.id()).resolve("cells");
        for (Path table : tables(database)) {
            byte[] bytes = Files.readAllBytes(table);
            if (new String(bytes, StandardCharsets.ISO_8859_1).contains("value of ") == ofCells) {
                bytes[10] ^= 1;
                Files.write(table, bytes);
                return table;
            }
        }
        throw new AssertionError("no such table in " + database);
    }

    private static List<Path> tables(Path database) throws IOException {
        try (Stream<Path> files = Files.list(database)) {
            return files.filter(path -> path.toString().endsWith(".sst"))
                    .sorted()
                    .toList();
        }
    }
}
