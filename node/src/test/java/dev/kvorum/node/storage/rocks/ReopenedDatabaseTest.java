package dev.kvorum.node.storage.rocks;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.directory.DataDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** A database that stops by itself, and a keeper that looks and sees time pass when the test says so. */
@Tag("check")
@Timeout(60)
class ReopenedDatabaseTest {
    private static final int TABLES = 100; // More than there are.

    @TempDir
    Path parent;

    private final List<String> ended = new ArrayList<>();
    private RocksDatabase database;
    private DataDirectory directory;
    private DatabaseKeeper keeper;
    private long nanos;

    @BeforeEach
    void open() {
        directory = DataDirectory.claim(parent.resolve("data"), "demo", "n1", 256);
        database = RocksDatabase.open(directory.database(), SmallStore.settings());
        keeper = new DatabaseKeeper(database, directory, List::of, () -> {}, ended::add, () -> nanos);
    }

    @AfterEach
    void close() {
        keeper.close();
        database.close();
    }

    /** A flush fails, in the background: directories have the names of its files. */
    private void stop() throws RocksDBException, IOException {
        database.sync();
        List<Path> inTheWay = new ArrayList<>();
        for (int i = 0; i < TABLES; i++) {
            Path table = database.directory().resolve("%06d.sst".formatted(i));
            if (Files.notExists(table)) {
                inTheWay.add(Files.createDirectory(table));
            }
        }
        try (FlushOptions flush = new FlushOptions()) {
            assertThatThrownBy(() -> database.db().flush(flush, database.notes()))
                    .isInstanceOf(RocksDBException.class);
        }
        for (Path table : inTheWay) {
            Files.delete(table);
        }
        assertThatThrownBy(database::sync).isInstanceOf(RocksDBException.class);
        eventually("it is counted", () -> database.property("rocksdb.background-errors") > 0);
    }

    private void stopAndTryToOpen(int times) throws RocksDBException, IOException {
        stop();
        Path current = database.directory().resolve("CURRENT");
        Path aside = Files.move(current, parent.resolve("CURRENT"));
        for (int i = 1; i < times; i++) {
            keeper.look();
        }
        Files.move(aside, current);
        keeper.look();
    }

    private void assertSound() throws RocksDBException {
        keeper.look();
        assertThat(keeper.objection()).isEmpty();
        database.sync();
    }

    @Test
    void databaseThatStopsWhileNoOperationFailsIsOpenedAgain() throws RocksDBException, IOException {
        stop();

        keeper.look();

        assertThat(keeper.objection())
                .hasValueSatisfying(said -> assertThat(said).contains("The database takes no writes"));
        assertSound();
        assertThat(ended).isEmpty();
    }

    @Test
    void databaseThatStopsIsOpenedAgainThoughAFileOfItIsDamaged() throws RocksDBException, IOException {
        Path table = damagedTable();
        DiskFailure failing = new DiskFailure("A read");
        failing.saw(new RocksDBException(
                "block checksum mismatch in " + table, new Status(Status.Code.Corruption, Status.SubCode.None, "")));
        try (DatabaseKeeper looking =
                new DatabaseKeeper(database, directory, () -> List.of(failing), () -> {}, ended::add, () -> nanos)) {
            looking.look();
            assertThat(looking.objection())
                    .hasValueSatisfying(
                            said -> assertThat(said).contains("is damaged").doesNotContain("takes no writes"));
            stop();

            looking.look();
            assertThat(looking.objection())
                    .hasValueSatisfying(said -> assertThat(said).contains("is damaged", "takes no writes"));
            looking.look();

            assertThat(looking.objection())
                    .hasValueSatisfying(
                            said -> assertThat(said).contains("is damaged").doesNotContain("takes no writes"));
            database.sync();
        }
    }

    private Path damagedTable() throws RocksDBException, IOException {
        database.db().put(database.cells(), StorageKey.of(7, Key.of("cart-7")), new byte[1000]);
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            database.db().flush(flush, database.cells());
        }
        String name = database.db().getLiveFilesMetaData().stream()
                .filter(live -> Arrays.equals(live.columnFamilyName(), RocksDB.DEFAULT_COLUMN_FAMILY))
                .findFirst()
                .orElseThrow()
                .fileName();
        Path table = database.directory().resolve(name.substring(name.lastIndexOf('/') + 1));
        try (FileChannel channel = FileChannel.open(table, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), 20);
        }
        return table;
    }

    @Test
    void errorsBeforeADatabaseWasOpenedAgainStillCount() throws RocksDBException, IOException {
        stop();
        double before = keeper.errors();
        assertThat(before).isPositive();

        keeper.look();

        assertThat(keeper.errors()).isEqualTo(before);
        assertSound();
        assertThat(keeper.errors()).isEqualTo(before);
    }

    @Test
    void databaseThatStopsAgainWithinAMinuteIsOpenedAFewTimesOnly() throws RocksDBException, IOException {
        stopAndTryToOpen(3);
        assertSound();
        nanos += Duration.ofSeconds(59).toNanos();

        stop();
        keeper.look();

        assertThat(ended).singleElement().asString().contains("It was opened again 3 times");
        assertThat(database.reopen(Duration.ofSeconds(10))).isTrue(); // As a start would: or it can't be closed.
    }

    @Test
    void databaseThatWasSoundForAMinuteIsOpenedAgainHoweverOftenItWasBefore() throws RocksDBException, IOException {
        stopAndTryToOpen(3);
        assertSound();
        nanos += Duration.ofSeconds(61).toNanos();

        stop();
        keeper.look();

        assertThat(ended).isEmpty();
        assertSound();
    }
}
