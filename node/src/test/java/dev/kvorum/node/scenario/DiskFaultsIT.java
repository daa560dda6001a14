package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvorum.node.cluster.NodeProcess;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node in a process of its own whose disk fails and works again, is damaged, or is taken away. */
@Timeout(300)
class DiskFaultsIT {
    private static final String VALUE = incompressible(50_000); // So that most of a file is cells.
    private static final int WRITES_MAX = 1000;
    private static final String SMALL_FILES = "--kvorum.storage.memtable=1MB";
    private static final String READINESS = "/actuator/health/readiness";

    private static String incompressible(int length) {
        return new Random(1)
                .ints(length, 0x21, 0x7F)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @TempDir
    Path directory;

    private NodeProcess node;

    private final List<String> acknowledged = new ArrayList<>();

    @BeforeEach
    void name() throws IOException {
        node = new NodeProcess("n1", directory);
        Member member = new Member(
                "n1",
                URI.create("http://127.0.0.1:" + node.apiPort()),
                URI.create("http://127.0.0.1:" + node.peerPort()),
                "zone",
                MemberState.ACTIVE,
                1,
                null);
        Files.write(
                directory.resolve("topology.json"),
                TopologyJson.write(new Topology("disks", 1, 1, 16, List.of(member))));
    }

    @AfterEach
    void end() {
        node.close();
    }

    /** What the system can do to a process, and undo. */
    enum Fault {
        EPERM("not permitted") {
            @Override
            void begin(long pid, Path database) throws IOException {
                assumeTrue(isDone("chattr", "+i", database.toString()), "only root may do that, on some file systems");
            }

            @Override
            void end(long pid, Path database) throws IOException {
                run("chattr", "-i", database.toString());
            }
        },
        EMFILE("Too many open files") {
            @Override
            void begin(long pid, Path database) throws IOException {
                try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
                    run("prlimit", "--pid=" + pid, "--nofile=" + open.count() + ":");
                }
            }

            @Override
            void end(long pid, Path database) throws IOException {
                run("prlimit", "--pid=" + pid, "--nofile=4096:");
            }
        },
        EFBIG("too large") {
            @Override
            void begin(long pid, Path database) throws IOException {
                run("prlimit", "--pid=" + pid, "--fsize=65536:");
            }

            @Override
            void end(long pid, Path database) throws IOException {
                run("prlimit", "--pid=" + pid, "--fsize=unlimited:");
            }
        };

        private final String message;

        Fault(String message) {
            this.message = message;
        }

        abstract void begin(long pid, Path database) throws IOException;

        abstract void end(long pid, Path database) throws IOException;

        private static boolean isDone(String... command) throws IOException {
            Process process = new ProcessBuilder(command).inheritIO().start();
            return process.onExit().join().exitValue() == 0;
        }

        private static void run(String... command) throws IOException {
            assertThat(isDone(command)).as(String.join(" ", command)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void writesSucceedAgainWithoutARestartOnceTheCauseIsGone(Fault fault) throws IOException {
        node.start(SMALL_FILES);
        long pid = node.pid();
        Path database = node.dataDirectory().resolve("cells");
        assertThat(isWritten("before")).isTrue();
        fault.begin(pid, database);
        try {
            writeUntil(() -> node.management(READINESS).contains(fault.message));

            assertThat(node.management(READINESS)).startsWith("503").contains("The database takes no writes");
            assertThat(isWritten("meanwhile")).isFalse();
            assertThat(text(node.client().get("before", ""))).isEqualTo(VALUE);
            assertThat(errors()).isPositive();
        } finally {
            fault.end(pid, database);
        }

        eventually("it is ready again", () -> node.management(READINESS).startsWith("200"));
        assertThat(isWritten("after")).isTrue();
        assertThat(node.pid()).isEqualTo(pid);
        assertAllReadable();
        assertThat(errors()).isPositive();
        assertThat(node.output().lines().filter(line -> line.contains("The database takes no writes")))
                .hasSizeLessThanOrEqualTo(3);
    }

    private double errors() {
        return node.management("/actuator/prometheus")
                .lines()
                .filter(line -> line.startsWith("kvorum_rocksdb_background_errors"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private boolean isWritten(String key) {
        boolean written = node.client().put(key, VALUE, "").statusCode() == 201;
        if (written) {
            acknowledged.add(key);
        }
        return written;
    }

    private void writeUntil(Condition condition) {
        for (int i = 0; i < WRITES_MAX && !condition.holds(); i++) {
            boolean _ = isWritten("key-" + i);
        }
        assertThat(condition.holds()).isTrue();
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds();
    }

    private void assertAllReadable() {
        assertThat(acknowledged).allMatch(key -> node.client().get(key, "").statusCode() == 200);
    }

    @Test
    void damagedFileIsNamedWithTheRemedyAndSoItIsAtOnceAfterARestart() throws IOException {
        node.start(SMALL_FILES);
        writeUntil(() -> tables().size() >= 2);
        node.terminate();
        for (Path table : tables()) {
            damage(table);
        }
        Process first = node.launch(SMALL_FILES);

        eventually("it is said", () -> isCalledDamagedAfterAWrite() || !first.isAlive());

        String readiness = node.management(READINESS);
        assertThat(readiness)
                .startsWith("503")
                .containsPattern("/cells/[0-9]+\\.sst \\(column family default\\)")
                .contains("start it with an empty one", "docs/operations.md");
        node.kill();
        Process process = node.launch(SMALL_FILES);
        eventually("it says so again", () -> node.management(READINESS).contains("is damaged") || !process.isAlive());
        assertThat(node.management(READINESS)).startsWith("503");
        assertThat(node.output()).containsOnlyOnce("\"message\":\"The file ");
    }

    /** Writes fill a memtable, and so a compaction meets the files. */
    private boolean isCalledDamagedAfterAWrite() {
        boolean _ = isAnswered("more-" + acknowledged.size());
        return node.management(READINESS).contains("is damaged");
    }

    private List<Path> tables() {
        try (Stream<Path> files = Files.list(node.dataDirectory().resolve("cells"))) {
            return files.filter(file -> file.toString().endsWith(".sst"))
                    .filter(DiskFaultsIT::isMostlyCells)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isMostlyCells(Path table) {
        return table.toFile().length() > 200_000;
    }

    private static void damage(Path table) throws IOException {
        try (FileChannel channel = FileChannel.open(table, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[64]), channel.size() / 3); // Of the cells; the index is at the end.
        }
    }

    @Test
    void nodeEndsWhenItsDirectoryIsMoved() throws IOException {
        Process process = launchedAndReady();
        assertThat(isWritten("before")).isTrue();
        Path away = directory.resolve("away");

        Files.move(node.dataDirectory(), away);

        writeUntilRefused();
        assertThat(process.onExit().join().exitValue()).isEqualTo(74);
        assertThat(node.output().lines())
                .last()
                .asString()
                .startsWith("This node ends: the data directory " + node.dataDirectory())
                .contains("moved or deleted");
        Files.move(away, node.dataDirectory());
        node.start();
        assertAllReadable();
    }

    private Process launchedAndReady() {
        Process process = node.launch();
        eventually("it is ready", () -> node.management(READINESS).startsWith("200"));
        return process;
    }

    private void writeUntilRefused() {
        for (int i = 0; isAnswered("key-" + i); i++) {
            assertThat(i).isLessThan(WRITES_MAX * 10);
        }
    }

    private boolean isAnswered(String key) {
        @Nullable
        Boolean written = node.client()
                .putLater(key, VALUE, "")
                .handle((answer, e) -> e == null && answer.statusCode() == 201)
                .join();
        boolean isWritten = Objects.requireNonNull(written);
        if (isWritten) {
            acknowledged.add(key);
        }
        return isWritten;
    }

    @Test
    void nodeEndsWhenAnotherDirectoryTakesThePlaceOfItsOwn() throws IOException {
        Process process = launchedAndReady();
        Path away = directory.resolve("away");

        Files.move(node.dataDirectory(), away);
        Files.createDirectory(node.dataDirectory());
        Files.copy(away.resolve("kvorum.properties"), node.dataDirectory().resolve("kvorum.properties"));
        Files.createDirectory(node.dataDirectory().resolve("cells"));
        Files.createFile(node.dataDirectory().resolve("cells/LOCK"));

        assertThat(process.onExit().join().exitValue()).isEqualTo(74);
        assertThat(node.output()).contains("another one has taken its place");
    }
}
