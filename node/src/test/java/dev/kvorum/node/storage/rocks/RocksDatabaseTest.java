package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.storage.StorageKey;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.unit.DataSize;

/** What memory answers must be what the disk would answer, or nothing, wherever flushes, compactions and evictions have left the parts. */
@Timeout(60)
class RocksDatabaseTest {
    private static final int KEYS = 5_000;

    @TempDir
    Path directory;

    private RocksDatabase database;

    @BeforeEach
    void open() {
        database = open(8, 1024);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private RocksDatabase open(int cacheMegabytes, int openFiles) {
        return RocksDatabase.open(
                directory,
                Settings.like(SmallStore.settings())
                        .with("blockCache", DataSize.ofMegabytes(cacheMegabytes))
                        .with("memtable", DataSize.ofMegabytes(1))
                        .with("openFiles", openFiles)
                        .get());
    }

    @Test
    void openingAgainMakesNoNewDatabase() throws IOException, RocksDBException {
        Path away = directory.resolveSibling(directory.getFileName() + "-away");
        Files.move(directory, away);
        try {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> database.reopen(Duration.ofSeconds(5))).isNotNull();
            }
            assertThat(directory.resolve("CURRENT")).doesNotExist();
        } finally {
            FileSystemUtils.deleteRecursively(directory);
            Files.move(away, directory);
            database.reopen(Duration.ofSeconds(5));
        }
    }

    private void reopen(int cacheMegabytes, int openFiles) {
        database.close();
        database = open(cacheMegabytes, openFiles);
    }

    private static byte[] key(int i) {
        return StorageKey.of(i % 256, Key.of("cart-" + i));
    }

    private static byte[] cell(long time, int valueBytes) {
        byte[] value = new byte[valueBytes];
        new Random(time).nextBytes(value);
        return Draft.ofValue(value)
                .stamp(Key.of("cart"), new Version(time, 1), 3)
                .bytes();
    }

    private void write(byte[] key, byte[] cell) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch();
                WriteOptions options = new WriteOptions()) {
            batch.merge(database.cells(), key, cell);
            database.db().write(options, batch);
        }
    }

    private void fill(int keys, int valueBytes) throws RocksDBException {
        for (int i = 0; i < keys; i++) {
            write(key(i), cell(i + 1, valueBytes));
        }
    }

    private void flush() throws RocksDBException {
        try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
            database.db().flush(options, database.cells());
        }
    }

    /** All of it in files below level 0. */
    private void compact() throws RocksDBException {
        flush();
        database.db().compactRange(database.cells());
    }

    private byte @Nullable [] readAsTheStoreDoes(byte[] key) throws RocksDBException {
        byte @Nullable [] inMemory = database.readMemory(key);
        return inMemory == null ? database.read(key) : inMemory;
    }

    /** The caches are empty then, also of the files' indexes: RocksDB says "found" there and gives no bytes. */
    @ParameterizedTest(name = "cache of {0} MiB")
    @ValueSource(ints = {1, 8})
    void keyIsFoundThoughMemoryHasNotEvenTheIndexOfItsFile(int cacheMegabytes) throws RocksDBException {
        fill(KEYS, 1000); // 5 MB: more than the small cache holds.
        compact();
        reopen(cacheMegabytes, 1024);

        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < KEYS; i++) {
                assertThat(readAsTheStoreDoes(key(i))).isEqualTo(cell(i + 1, 1000));
            }
        }
    }

    @Test
    void whatFitsIntoTheCacheIsReadFromMemory() throws RocksDBException {
        int keys = 20;
        reopen(32, 1024);
        fill(keys, 1 << 20);
        compact();
        reopen(32, 1024);
        for (int i = 0; i < keys; i++) {
            database.read(key(i));
        }

        for (int i = 0; i < keys; i++) {
            assertThat(database.readMemory(key(i))).isEqualTo(cell(i + 1, 1 << 20));
        }
    }

    /** Of 2 MB that are rewritten and read eight times the cache, which would have room for all of it, holds the last. */
    @Test
    void cacheForgetsFilesThatCompactionsHaveReplaced() throws RocksDBException {
        reopen(64, 1024);
        List<Long> usage = new ArrayList<>();
        for (int round = 0; round < 8; round++) {
            fill(2_000, 1_000);
            compact();
            for (int i = 0; i < 2_000; i++) {
                assertThat(database.read(key(i))).isNotNull();
            }
            usage.add(database.db().getLongProperty("rocksdb.block-cache-usage"));
        }

        assertThat(usage.getFirst()).isGreaterThan(2_000_000);
        assertThat(usage.getLast()).isLessThan(2 * usage.getFirst());
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    /** Overwrites in any order, between them flushes, compactions and reopenings; what memory answers is then the newest as well. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void newestWinsInMemoryAndOnDisk(long seed) throws RocksDBException {
        Random random = new Random(seed);
        List<Integer> times = new ArrayList<>();
        for (int time = 1; time <= 400; time++) {
            times.add(time);
        }
        Collections.shuffle(times, random);

        int[] newest = new int[3];
        for (int time : times) {
            int key = random.nextInt(newest.length);
            newest[key] = Math.max(newest[key], time);
            write(key(key), cell(time, 20));
            switch (random.nextInt(60)) {
                case 0 -> compact();
                case 1 -> reopen(1, 16);
                case 2, 3 -> flush();
                default -> {} // Most writes meet what the one before has left.
            }
            byte @Nullable [] inMemory = database.readMemory(key(key));
            byte[] expected = cell(newest[key], 20);
            assertThat(inMemory == null ? expected : inMemory).isEqualTo(expected);
            if (random.nextInt(8) == 0) { // Not each time: it would keep all of it in memory.
                assertThat(database.read(key(key))).isEqualTo(expected);
            }
        }

        for (int key = 0; key < newest.length; key++) {
            assertThat(database.read(key(key))).isEqualTo(cell(newest[key], 20));
        }
    }

    /** More files than may be open, and overwrites that are folded: those must not win over the file. */
    @Test
    void newestThatIsInAFileNotOpenOutlivesFoldedOverwrites() throws RocksDBException {
        int files = 60;
        for (int file = 0; file < files; file++) {
            write(StorageKey.of(file, Key.of("cart")), cell(1_000_000, 100));
            flush();
            database.db()
                    .compactRange(database.cells(), StorageKey.of(file, Key.of("a")), StorageKey.of(file, Key.of("z")));
        }
        reopen(8, 16);
        Folding always = new Folding(database, 1, new SplittableRandom());

        for (int file = 0; file < files; file++) {
            byte[] key = StorageKey.of(file, Key.of("cart"));
            for (int time = 1; time <= 3; time++) {
                try (WriteBatch batch = new WriteBatch();
                        WriteOptions options = new WriteOptions()) {
                    if (always.isDue(key)) {
                        always.fold(batch, List.of(key));
                    }
                    batch.merge(database.cells(), key, cell(time, 100));
                    database.db().write(options, batch);
                }
            }
        }

        for (int file = 0; file < files; file++) {
            assertThat(readAsTheStoreDoes(StorageKey.of(file, Key.of("cart")))).isEqualTo(cell(1_000_000, 100));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void flushesAndCompactionsGiveWayToRequests() throws RocksDBException, IOException {
        int before = niceIn(Files.readString(Path.of("/proc/thread-self/stat")));
        for (int file = 0; file < 2; file++) { // One alone would only be moved.
            write(key(1), cell(file, 100));
            flush();
        }
        database.db().compactRange(database.cells());

        assertThat(niceOf("rocksdb:high")).contains(4);
        assertThat(niceOf("rocksdb:low")).contains(4);
        assertThat(niceIn(Files.readString(Path.of("/proc/thread-self/stat"))))
                .as("this thread, which waited for them")
                .isEqualTo(before);
    }

    /** The nice values, -20 to 19, of this process' threads of that name. */
    private static List<Integer> niceOf(String name) throws IOException {
        List<Integer> values = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                String stat = statOf(thread);
                if (stat.contains('(' + name + ')')) {
                    values.add(niceIn(stat));
                }
            }
        }
        return values;
    }

    private static String statOf(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException _) {
            return ""; // It has ended since it was listed.
        }
    }

    /** Nice is the nineteenth field, and the name the second, which alone can have spaces. */
    private static int niceIn(String stat) {
        try (Scanner fields = new Scanner(stat.substring(stat.lastIndexOf(')')))) {
            return Integer.parseInt(fields.tokens().skip(17).findFirst().orElseThrow());
        }
    }
}
