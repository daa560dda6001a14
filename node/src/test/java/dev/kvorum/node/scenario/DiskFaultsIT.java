package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvorum.node.cluster.FaultyDisk;
import dev.kvorum.node.cluster.FaultyDisk.Call;
import dev.kvorum.node.cluster.FaultyDisk.Errno;
import dev.kvorum.node.cluster.NodeProcess;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.util.FileSystemUtils;

/** A node in a process of its own whose disk fails and works again, is damaged, or is taken away. */
@Timeout(300)
@Tag("check")
class DiskFaultsIT {
    private static final String VALUE = incompressible(50_000); // So that most of a file is cells.
    private static final int WRITES_MAX = 1000;
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(30); // Two or three, unless the machine is busy.
    private static final String SMALL_FILES = "--kvorum.storage.memtable=1MB";
    private static final String DISK = "96m";
    private static final int ROOM_LEFT = 256 << 10; // On it, when it is full.
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
        Files.write(
                directory.resolve("topology.json"),
                TopologyJson.write(new Topology("disks", 1, 1, 16, List.of(node.member()))));
    }

    @AfterEach
    void end() {
        node.close();
    }

    /** What the system can do to a process, and undo. */
    enum Fault {
        ENOSPC("No space left") {
            @Override
            void prepare(Path data) throws IOException {
                Files.createDirectory(data);
                String[] mount = {"mount", "-t", "tmpfs", "-o", "size=" + DISK, "tmpfs", data.toString()};
                assumeTrue(isDone(mount), "only root may mount a small disk");
            }

            @Override
            void begin(long pid, Path database) throws IOException {
                long room = Files.getFileStore(database).getUsableSpace();
                try (FileChannel filler = FileChannel.open(
                        database.resolveSibling("filler"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                    for (long left = room - ROOM_LEFT; left > 0; left -= ROOM_LEFT) {
                        filler.write(ByteBuffer.allocate(ROOM_LEFT));
                    }
                }
            }

            @Override
            void end(long pid, Path database) throws IOException {
                Files.delete(database.resolveSibling("filler"));
            }

            @Override
            void remove(Path data) throws IOException {
                boolean _ = isDone("umount", "--lazy", data.toString());
            }
        },
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

        /** Before the node starts. */
        void prepare(Path data) throws IOException {}

        abstract void begin(long pid, Path database) throws IOException;

        abstract void end(long pid, Path database) throws IOException;

        /** When the node has ended. */
        void remove(Path data) throws IOException {}

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
        Path database = node.dataDirectory().resolve("cells");
        fault.prepare(node.dataDirectory());
        try {
            node.start(SMALL_FILES);
            long pid = node.pid();
            assertThat(isWritten("before")).isTrue();
            fault.begin(pid, database);
            try {
                assertReadsAloneGoOn(fault.message);
            } finally {
                fault.end(pid, database);
            }

            assertWritesSucceedAgain(pid);
            assertThat(node.output().lines().filter(line -> line.contains("The database takes no writes")))
                    .hasSizeLessThanOrEqualTo(3);
        } finally {
            node.close();
            fault.remove(node.dataDirectory());
        }
    }

    private void assertReadsAloneGoOn(String cause) {
        writeUntil(() -> node.management(READINESS).contains(cause));

        assertThat(node.management(READINESS)).startsWith("503").contains("The database takes no writes");
        HttpResponse<byte[]> refused = node.client().put("meanwhile", VALUE, "");
        assertThat(refused.statusCode()).isEqualTo(504);
        assertThat(text(refused)).contains("quorum-unavailable", "its storage failed; its log says why");
        assertThat(text(node.client().get("before", ""))).isEqualTo(VALUE);
        assertThat(errors()).isPositive();
    }

    private void assertWritesSucceedAgain(long pid) {
        eventually("it is ready again", () -> node.management(READINESS).startsWith("200"));
        assertThat(isWritten("after")).isTrue();
        assertThat(node.pid()).isEqualTo(pid);
        assertAllReadable();
        assertThat(errors()).isPositive();
    }

    /** One node meets all of them: three are as many as it takes within a minute. */
    @Test
    void writesSucceedAgainAfterErrorsOfTheDiskItself() throws IOException {
        FaultyDisk disk = new FaultyDisk(directory);
        var _ = node.launchIn(disk.environment(), SMALL_FILES);
        node.awaitReady();
        long pid = node.pid();
        String database = node.dataDirectory().resolve("cells").toString();
        assertThat(isWritten("before")).isTrue();

        disk.fail(Call.WRITE, Errno.EIO, database);
        assertReadsAloneGoOn(Errno.EIO.text());
        disk.heal();
        assertWritesSucceedAgain(pid);

        disk.fail(Call.SYNC, Errno.EIO, database);
        assertReadsAloneGoOn(Errno.EIO.text());
        disk.heal();
        assertWritesSucceedAgain(pid);

        disk.fail(Call.WRITE, Errno.EDQUOT, database);
        assertReadsAloneGoOn(Errno.EDQUOT.text());
        disk.heal();
        assertWritesSucceedAgain(pid);
    }

    /** Its log can't be written, though other files beside it can: so the cause seems to be gone. */
    @Test
    void nodeEndsWhenItsDatabaseCannotBeOpenedAgain() throws IOException {
        FaultyDisk disk = new FaultyDisk(directory);
        Process process = node.launchIn(disk.environment());
        node.awaitReady();
        assertThat(isWritten("before")).isTrue();

        disk.fail(Call.WRITE, Errno.EIO, ".log");
        disk.fail(Call.OPEN, Errno.EIO, "/cells/CURRENT");

        writeUntilRefused();
        assertThat(process.onExit().join().exitValue()).isEqualTo(74);
        List<String> ends = node.output()
                .lines()
                .filter(line -> line.contains("This node ends"))
                .toList();
        assertThat(ends).hasSize(2); // In the log, and on standard error.
        assertThat(ends.getLast())
                .startsWith("This node ends: The database takes no writes: ")
                .contains(Errno.EIO.text(), "Check the disk", "It was opened again 3 times");
        disk.heal();
        node.start();
        assertAllReadable();
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
                .contains("This node has the only copy", "from a backup", "docs/operations.md")
                .doesNotContain("empty");
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

    /** Not even the first one, however long it is until the node looks at its directory again. */
    @Test
    void writeThatIsSyncedIsNotAcknowledgedInADirectoryThatIsMoved() throws IOException {
        node.start("--kvorum.storage.durability=fsync");
        assertThat(isWritten("before")).isTrue();

        Files.move(node.dataDirectory(), directory.resolve("away"));

        assertThat(isAnswered("after")).isFalse();
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

    /** How a directory is lost under a node that uses it. */
    enum Loss {
        DELETED("moved or deleted") {
            @Override
            void happenTo(Path data) {
                delete(data);
            }
        },
        REPLACED_BY_AN_EMPTY_ONE("moved or deleted") {
            @Override
            void happenTo(Path data) throws IOException {
                delete(data);
                Files.createDirectories(data);
            }
        };

        private final String reason;

        Loss(String reason) {
            this.reason = reason;
        }

        abstract void happenTo(Path data) throws IOException;

        /** As {@code rm -rf}, which a new file may come in the way of. */
        private static void delete(Path data) {
            eventually("it is deleted", () -> {
                try {
                    return FileSystemUtils.deleteRecursively(data) || Files.notExists(data);
                } catch (IOException e) {
                    return Files.notExists(data);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void nodeEndsWhenItsDirectoryIs(Loss loss) throws IOException {
        Process process = launchedAndReady();
        assertThat(isWritten("before")).isTrue();

        loss.happenTo(node.dataDirectory());

        writeUntilRefused();
        assertThat(isAnswered("later")).isFalse();
        assertThat(process.onExit()).succeedsWithin(ENDS_WITHIN).returns(74, Process::exitValue);
        assertThat(node.output().lines().filter(line -> line.contains("This node ends: the data")))
                .hasSize(2) // In the log, and on standard error.
                .allMatch(line -> line.contains(loss.reason) && line.contains("Put the directory back"));
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
