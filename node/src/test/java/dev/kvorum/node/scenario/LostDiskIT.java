package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cluster.RegisterClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.storage.LostDataException;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.springframework.util.FileSystemUtils;

/**
 * The disk of one of three members loses a part of what the member has acknowledged while another is down. What is left must not make a majority with the member that
 * was down: nothing that was acknowledged is hidden, and no condition has two winners.
 */
@Timeout(120)
@Tag("check")
class LostDiskIT {
    private static final List<String> KEYS =
            IntStream.range(0, 20).mapToObj(i -> "key-" + i).toList();

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(directory, 3, "--kvorum.storage.durability=fsync");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static int createOnce(TestNode node) {
        return new RegisterClient(node.apiPort())
                .put("once", "mine", "If-None-Match", "*")
                .statusCode();
    }

    /** What n1 and n2 acknowledge while n3 is down; then n1 is stopped, and loses something. */
    private void acknowledgeAndLose(Loss loss) throws IOException {
        acknowledgeAndLose(() -> {}, loss);
    }

    /** @param whenAcknowledged run before n1 is stopped */
    private void acknowledgeAndLose(Runnable whenAcknowledged, Loss loss) throws IOException {
        TestNode first = cluster.node(0);
        cluster.node(2).stop();
        for (String key : KEYS) {
            assertThat(first.client().put(key, "value", "2/3").statusCode()).isEqualTo(201);
        }
        assertThat(createOnce(first)).isEqualTo(201);
        whenAcknowledged.run();
        first.stop();
        loss.happen(directory.resolve("n1").resolve("cells"));
    }

    private interface Loss {
        void happen(Path database) throws IOException;
    }

    private void assertNothingIsHidden() {
        cluster.node(1).stop();
        assertThatThrownBy(() -> cluster.node(0).start())
                .as("nobody answers who could hold what is lost")
                .hasRootCauseInstanceOf(LostDataException.class);
        assertNothingIsHiddenFromTheOneThatWasDown();
    }

    private void assertNothingIsHiddenFromTheOneThatWasDown() {
        cluster.node(2).start();
        cluster.node(0).start();
        for (TestNode node : List.of(cluster.node(0), cluster.node(2))) {
            assertThat(createOnce(node)).isNotEqualTo(201);
            for (String key : KEYS) {
                assertThat(node.client().get(key, "2/3").statusCode()).isEqualTo(504);
            }
        }

        cluster.node(1).start();

        eventually(
                "the lost disk is filled again",
                () -> KEYS.stream()
                        .allMatch(key ->
                                text(cluster.node(0).client().get(key, "3/3")).equals("value")));
        eventually("there is one winner", () -> createOnce(cluster.node(0)) == 412);
    }

    @Test
    void flippedBitInTheLogHidesNothingThatWasAcknowledged() throws IOException {
        acknowledgeAndLose(LostDiskIT::flipABitOfTheLog);

        assertNothingIsHidden();
    }

    private static void flipABitOfTheLog(Path database) throws IOException {
        try (Stream<Path> files = Files.list(database)) {
            Path log = files.filter(path -> path.toString().endsWith(".log"))
                    .max(Path::compareTo)
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(log);
            bytes[bytes.length / 2] ^= 4;
            Files.write(log, bytes);
        }
    }

    /** The one that was down has met the later start of n1, and tells. */
    @Test
    void directoryThatIsPutBackFromACopyHidesNothingThatWasAcknowledged() throws IOException {
        Path data = directory.resolve("n1");
        Path copy = directory.resolve("copy-of-n1");
        cluster.node(0).stop();
        FileSystemUtils.copyRecursively(data, copy);
        cluster.node(0).start();
        acknowledgeAndLose(database -> {
            FileSystemUtils.deleteRecursively(data);
            FileSystemUtils.copyRecursively(copy, data);
        });
        cluster.node(1).stop();

        assertNothingIsHiddenFromTheOneThatWasDown();
    }

    /** No start tells: the copy was made while n1 ran its last one. */
    @Test
    void directoryThatIsPutBackFromACopyOfTheSameStartIsNotUsed() throws IOException {
        Path data = directory.resolve("n1");
        Path copy = directory.resolve("copy-of-n1");
        FileSystemUtils.copyRecursively(data, copy); // As a snapshot does.
        long copied = changes(copy.resolve("cells.synced"), 1);
        acknowledgeAndLose(
                () -> eventually("n2 notes that n1 has come further", () -> rememberedOfN1() > copied), database -> {
                    FileSystemUtils.deleteRecursively(data);
                    FileSystemUtils.copyRecursively(copy, data);
                });
        cluster.node(2).start();

        cluster.node(0).start();

        eventually(
                "what was moved aside is there", () -> asideOf(data).findFirst().isPresent());
        eventually(
                "the member is filled again",
                () -> KEYS.stream()
                        .allMatch(key ->
                                text(cluster.node(0).client().get(key, "3/3")).equals("value")));
    }

    /** As n2 has noted it. */
    private long rememberedOfN1() {
        Path note = directory.resolve("n2").resolve("witnessed");
        return Files.exists(note) ? changes(note, 3) : 0;
    }

    /** The number at that place of the first line. */
    private static long changes(Path note, int place) {
        try {
            return Long.parseLong(Files.readString(note).split("\\s+", -1)[place]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> asideOf(Path data) {
        try (Stream<Path> files = Files.list(data)) {
            return files.filter(file -> file.getFileName().toString().startsWith("cells-until-")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void databaseThatIsGoneHidesNothingThatWasAcknowledged() throws IOException {
        acknowledgeAndLose(FileSystemUtils::deleteRecursively);

        assertNothingIsHidden();
    }
}
