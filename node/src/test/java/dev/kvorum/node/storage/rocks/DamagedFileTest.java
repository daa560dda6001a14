package dev.kvorum.node.storage.rocks;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.DamageListener;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.directory.DataDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import reactor.core.publisher.Mono;

/** A table of the database is damaged: it is said until the file is mended or gone, though all else works. */
@Timeout(120)
class DamagedFileTest {
    private static final int PARTITION = 7;
    private static final int KEYS = 300;
    private static final int TABLE_BYTES_MIN = 100_000; // Of the table of cells.

    @TempDir
    Path parent;

    private DataDirectory directory;

    private static Key key(int number) {
        return Key.of("cart-" + number);
    }

    private static Cell cell(int number) {
        byte[] value = new byte[1000];
        new Random(number).nextBytes(value);
        return Draft.ofValue(value).stamp(key(number), new Version(number + 1, 1), 3);
    }

    @BeforeEach
    void fill() throws RocksDBException {
        directory = DataDirectory.claim(parent.resolve("data"), "demo", "n1", 256);
        try (RocksDatabase database = RocksDatabase.open(directory.database(), SmallStore.settings());
                WriteBatch batch = new WriteBatch();
                WriteOptions options = new WriteOptions();
                FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            for (int i = 0; i < KEYS; i++) {
                batch.merge(database.cells(), StorageKey.of(PARTITION, key(i)), cell(i).bytes());
            }
            database.db().write(options, batch);
            database.db().flush(flush, database.cells());
        }
    }

    private RocksStore open() {
        return RocksStore.open(directory, 0, SmallStore.settings(), SmallStore.hints(), SmallStore.host());
    }

    private Path table() throws IOException {
        try (Stream<Path> files = Files.list(directory.database())) {
            return files.filter(file -> file.toString().endsWith(".sst"))
                    .filter(file -> file.toFile().length() > TABLE_BYTES_MIN)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Path damagedTable() throws IOException {
        Path table = table();
        try (FileChannel channel = FileChannel.open(table, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[64]), channel.size() / 3);
        }
        return table;
    }

    private static boolean isRead(RocksStore store, int number) {
        return Boolean.TRUE.equals(store.read(PARTITION, key(number))
                .hasElement()
                .onErrorReturn(false)
                .block());
    }

    @Test
    void damageThatAReadMeetsStaysSaidThoughOthersSucceed() throws IOException {
        Path table = damagedTable();
        try (RocksStore store = open()) {
            assertThat(IntStream.range(0, KEYS).filter(i -> !isRead(store, i)).count())
                    .isBetween(1L, 20L);

            eventually(
                    "it is said",
                    () -> store.objection()
                            .filter(said -> said.contains("is damaged"))
                            .isPresent());
            assertThat(isRead(store, KEYS - 1)).isTrue();
            assertThat(store.isFailing()).isTrue();
            assertThat(directory.damaged()).contains(table.getFileName().toString());
        }
    }

    @Test
    void readsFailUntilWhatCouldNotBeReadIsRead() throws IOException {
        byte[] sound = Files.readAllBytes(table());
        Path table = damagedTable();
        try (RocksStore store = SmallStore.open(directory.database())) {
            int unread = IntStream.range(0, KEYS)
                    .filter(i -> !isRead(store, i))
                    .findFirst()
                    .orElseThrow();

            store.worksAgain();
            assertThat(store.isFailing()).isTrue();

            Files.write(table, sound);
            store.worksAgain();
            assertThat(store.isFailing()).isFalse();
            assertThat(isRead(store, unread)).isTrue();
        }
    }

    @Test
    void damageThatAFormerLifeHasNotedIsSaidAtOnce() throws IOException {
        Path table = damagedTable();
        directory.noteDamaged(table.getFileName().toString());

        try (RocksStore store = open()) {
            assertThat(store.objection())
                    .hasValueSatisfying(said -> assertThat(said).contains(table.toString(), "is damaged"));
            assertThat(store.isFailing()).isTrue();
        }
    }

    private static RocksDBException corruption(Path table) {
        return new RocksDBException(
                "block checksum mismatch in " + table, new Status(Status.Code.Corruption, Status.SubCode.None, ""));
    }

    /** The database with a keeper that looks, and sees time pass, when the test says so; a read has told of damage. */
    private final class Looked implements AutoCloseable {
        final RocksDatabase database = RocksDatabase.open(directory.database(), SmallStore.settings());
        final DiskFailure failing = new DiskFailure("A read");
        long nanos;
        final DatabaseKeeper keeper =
                new DatabaseKeeper(database, directory, () -> List.of(failing), () -> {}, reason -> {}, () -> nanos);

        void accuse(Path table) {
            failing.saw(corruption(table));
            keeper.look();
        }

        @Override
        public void close() {
            keeper.close();
            database.close();
        }
    }

    @Test
    void remedyDependsOnWhetherOthersHoldTheData() throws IOException {
        directory.noteDamaged(damagedTable().getFileName().toString());
        try (RocksStore store = open()) {
            assertThat(store.objection())
                    .hasValueSatisfying(
                            said -> assertThat(said).contains("If other members hold its data", "from a backup"));

            store.whenDamaged(listener(true));
            assertThat(store.objection())
                    .hasValueSatisfying(said -> assertThat(said)
                            .contains("start it with an empty one: it is filled from the other members")
                            .doesNotContain("backup"));

            store.whenDamaged(listener(false));
            assertThat(store.objection())
                    .hasValueSatisfying(said -> assertThat(said)
                            .contains("the only copy", "keep its data directory", "from a backup")
                            .doesNotContain("empty"));
        }
    }

    private static DamageListener listener(boolean hasOthers) {
        return new DamageListener() {
            @Override
            public boolean damaged(int partition, Key key, Mono<Boolean> removal) {
                return false;
            }

            @Override
            public boolean hasOthers() {
                return hasOthers;
            }
        };
    }

    @Test
    void fileThatIsIntactWhenItIsVerifiedIsNotDamagedUnlessReadsTellOfItAgainAndAgain() throws IOException {
        Path table = table();
        try (Looked looked = new Looked()) {
            for (int i = 1; i < FileDamage.MISREADS_MAX; i++) {
                looked.accuse(table);
                assertThat(looked.keeper.objection()).isEmpty();
                assertThat(looked.failing.damage()).isNull();
                assertThat(directory.damaged()).isEmpty();
            }

            looked.accuse(table);
            assertThat(looked.keeper.objection())
                    .hasValueSatisfying(said -> assertThat(said).contains(table.toString(), "is damaged"));
        }
    }

    @Test
    void fileThatIsMendedIsFoundIntactWhenItIsVerifiedAgain() throws IOException {
        byte[] sound = Files.readAllBytes(table());
        Path table = damagedTable();
        try (Looked looked = new Looked()) {
            looked.accuse(table);
            looked.nanos += Duration.ofMinutes(FileDamage.AGAIN_MINUTES + 1).toNanos();
            looked.keeper.look();
            assertThat(looked.keeper.objection()).isPresent();
            assertThat(directory.damaged()).isPresent();

            Files.write(table, sound);
            looked.keeper.look();
            assertThat(looked.keeper.objection()).as("it is not time").isPresent();
            looked.nanos += Duration.ofMinutes(FileDamage.AGAIN_MINUTES + 1).toNanos();
            looked.keeper.look();

            assertThat(looked.keeper.objection()).isEmpty();
            assertThat(looked.failing.damage()).isNull();
            assertThat(directory.damaged()).isEmpty();
        }
    }

    @Test
    void fileThatACompactionHasReplacedIsNotDamagedAnyMore() throws IOException, RocksDBException {
        byte[] sound = Files.readAllBytes(table());
        Path table = damagedTable();
        try (Looked looked = new Looked()) {
            looked.accuse(table);
            assertThat(looked.keeper.objection()).isPresent();
            Files.write(table, sound);

            looked.database
                    .db()
                    .compactRange(
                            looked.database.cells(),
                            null,
                            null,
                            new CompactRangeOptions()
                                    .setBottommostLevelCompaction(
                                            CompactRangeOptions.BottommostLevelCompaction.kForce));
            eventually("the file is gone", () -> Files.notExists(table));
            looked.keeper.look();

            assertThat(looked.keeper.objection()).isEmpty();
            assertThat(directory.damaged()).isEmpty();
        }
    }

    /** Only what the database has replaced is not missed. */
    @Test
    void damagedFileThatSomebodyDeletesIsNoBetter() throws IOException {
        Path table = damagedTable();
        try (Looked looked = new Looked()) {
            looked.accuse(table);
            Files.delete(table);

            looked.nanos += Duration.ofMinutes(FileDamage.AGAIN_MINUTES + 1).toNanos();
            looked.keeper.look();

            assertThat(looked.keeper.objection()).isPresent();
        }
    }

    @Test
    void noteOfAFileThatIsSoundOrGoneIsTakenBack() throws IOException {
        for (String name : List.of(table().getFileName().toString(), "999999.sst")) {
            directory.noteDamaged(name);

            try (RocksStore store = open()) {
                assertThat(store.objection()).isEmpty();
                assertThat(directory.damaged()).isEmpty();
            }
        }
    }
}
