package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.core.NodeCore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/**
 * The machine of one of three members loses power, while another member is down and logs are not synced at each write. The disk is as it was before the last writes, which
 * a copy brings about. What the member has left must not make a majority with the member that was down.
 */
@Timeout(120)
@Tag("check")
class PowerCutIT {
    private static final List<String> WRITTEN =
            IntStream.range(0, 30).mapToObj(i -> "written-" + i).toList();
    private static final List<String> DELETED =
            IntStream.range(0, 30).mapToObj(i -> "deleted-" + i).toList();

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(
                directory,
                3,
                "--kvorum.storage.durability=async",
                "--kvorum.storage.sync-interval=15s", // Hardly any sync comes between: else the copy is noticed as one.
                "--kvorum.clock.ahead-max=60s",
                "--kvorum.quorum.deadline=2s",
                "--kvorum.peer.timeout=500ms");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void writesAndDeletionsThatWereAcknowledgedAreNotUndone() throws IOException {
        TestNode first = cluster.node(0);
        DELETED.forEach(key ->
                assertThat(first.client().put(key, "old", "3/3").statusCode()).isEqualTo(201));
        Path data = directory.resolve("n1");
        Path copy = directory.resolve("copy-of-n1");
        cluster.node(2).stop();
        FileSystemUtils.copyRecursively(data, copy);
        WRITTEN.forEach(key ->
                assertThat(first.client().put(key, "new", "2/3").statusCode()).isEqualTo(201));
        DELETED.forEach(key ->
                assertThat(first.client().delete(key, "2/3").statusCode()).isEqualTo(202));
        first.stop();
        FileSystemUtils.deleteRecursively(data);
        FileSystemUtils.copyRecursively(copy, data);
        Files.writeString(data.resolve("running"), "the-boot-before ASYNC\n");
        cluster.node(1).stop();

        cluster.node(2).start();
        cluster.node(0).start();

        for (TestNode node : List.of(cluster.node(0), cluster.node(2))) {
            WRITTEN.forEach(key ->
                    assertThat(node.client().get(key, "2/3").statusCode()).isEqualTo(504));
            DELETED.forEach(key ->
                    assertThat(node.client().get(key, "2/3").statusCode()).isEqualTo(504));
        }

        cluster.node(1).start();

        eventually(
                "what was written is there",
                () -> WRITTEN.stream()
                        .allMatch(key -> text(first.client().get(key, "3/3")).equals("new")));
        eventually(
                "what was deleted is gone",
                () -> DELETED.stream()
                        .allMatch(key -> first.client().get(key, "3/3").statusCode() == 404));
    }

    /** The others have to have known the member for some seconds, and none of its syncs must have come between: else all is compared, or rebuilt. */
    @Test
    void membersThatStayedUpGiveTheLastWritesFromTheirLogs() throws IOException {
        int attempt = 0;
        do {
            assertThat(++attempt).as("attempts").isLessThan(10);
            loseWritesOfFirst("new-" + attempt);
        } while (cluster.node(0).meters().get("kvorum.catchup.cells").counter().count() == 0);

        cluster.node(1).stop();
        cluster.node(2).stop();
        String value = "new-" + attempt;
        assertThat(WRITTEN)
                .allSatisfy(key -> assertThat(text(cluster.node(0).client().get(key, "1/3")))
                        .isEqualTo(value));
        assertThat(DELETED)
                .allSatisfy(key -> assertThat(
                                cluster.node(0).client().get(key, "1/3").statusCode())
                        .isEqualTo(404));
    }

    /** Of the disk of the first member: the other two have them. Returns when it serves reads again. */
    private void loseWritesOfFirst(String value) throws IOException {
        TestNode first = cluster.node(0);
        eventually(
                "all take writes",
                () -> DELETED.stream()
                        .allMatch(key -> first.client().put(key, "old", "3/3").statusCode() == 201));
        Path data = directory.resolve("n1");
        Path copy = directory.resolve("copy-of-n1");
        FileSystemUtils.deleteRecursively(copy);
        FileSystemUtils.copyRecursively(data, copy);
        WRITTEN.forEach(key ->
                assertThat(first.client().put(key, value, "3/3").statusCode()).isEqualTo(201));
        DELETED.forEach(key ->
                assertThat(first.client().delete(key, "3/3").statusCode()).isEqualTo(202));
        first.stop();
        FileSystemUtils.deleteRecursively(data);
        FileSystemUtils.copyRecursively(copy, data);
        Files.writeString(data.resolve("running"), "the-boot-before ASYNC\n");
        first.start();
        eventually(
                "the first member lacks nothing",
                () -> first.bean(NodeCore.class).repair().rebuilding() == 0);
    }

    /** None of them has an end of its log that it could trust. */
    @Test
    void membersThatAllLostPowerAnswerReadsOnceTheyHaveComparedWithEachOther() throws IOException {
        TestNode first = cluster.node(0);
        WRITTEN.forEach(key ->
                assertThat(first.client().put(key, "old", "3/3").statusCode()).isEqualTo(201));
        for (int i = 0; i < 3; i++) {
            cluster.node(i).stop();
            Files.writeString(directory.resolve("n" + (i + 1)).resolve("running"), "the-boot-before ASYNC\n");
        }

        cluster.node(0).start();
        cluster.node(1).start();

        assertThat(first.client().get(WRITTEN.getFirst(), "2/3").statusCode()).isEqualTo(504);

        cluster.node(2).start();

        eventually(
                "what was written is read",
                () -> WRITTEN.stream()
                        .allMatch(key -> text(first.client().get(key, "2/3")).equals("old")));
    }
}
