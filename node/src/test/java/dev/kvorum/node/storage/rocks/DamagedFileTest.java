package dev.kvorum.node.storage.rocks;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.directory.DataDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

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
