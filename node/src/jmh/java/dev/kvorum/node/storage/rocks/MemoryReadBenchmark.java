package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.springframework.util.unit.DataSize;

/**
 * How long a read from memory takes at worst: each call is timed, while another thread writes, or does not, so much that the database
 * flushes and compacts all the time. Up to 20,000 keys and 16 MiB of values, memtables of 1 MiB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx256m"
        }) // As a node runs: large values are a matter of the collector as well.
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 5)
public class MemoryReadBenchmark {
    private static final Key KEY = Key.of("some-key");
    private static final int KEYS_MAX = 20_000;
    private static final long BYTES_MAX = 16 << 20;
    private static final int BATCH_BYTES = 4 << 10; // Of small values; a large one is a batch by itself.
    private static final int OVERWRITES = 16;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NANOS_PER_BYTE = 60; // The disk is not what is measured: at most 16 MB/s.

    /** Whether the other thread writes: some cells every millisecond, large ones less often. */
    @Param({"false", "true"})
    boolean writing;

    @Param({"100", "4096", "16384", "65536", "1048576"})
    int valueBytes;

    /** Whether one key is read, which the memtable has in as many overwrites as it keeps side by side; otherwise any. */
    @Param({"false", "true"})
    boolean hot;

    private final Random random = new Random(1);
    private byte[][] keys = {};
    private int batch;
    private Path directory = Path.of("");
    private @Nullable RocksDatabase database;
    private @Nullable Thread writer;
    private volatile boolean ended;

    @Setup(Level.Trial)
    public void open() throws IOException, RocksDBException {
        directory = Files.createTempDirectory("memory-read");
        database = RocksDatabase.open(
                directory,
                Settings.of(StorageSettings.class)
                        .with("durability", Durability.ASYNC)
                        .with("syncInterval", Duration.ofMillis(100))
                        .with("queue", 16)
                        .with("readThreads", 1)
                        .with("memory", DataSize.ofMegabytes(128))
                        .with("blockCache", DataSize.ofBytes(0))
                        .with("memtable", DataSize.ofBytes(Math.max(1 << 20, hot ? 2L * OVERWRITES * valueBytes : 0)))
                        .with("backgroundJobs", 2)
                        .with("openFiles", 64)
                        .get());
        keys = new byte[(int) Math.min(KEYS_MAX, BYTES_MAX / valueBytes)][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = ("key-" + i).getBytes(StandardCharsets.UTF_8);
        }
        batch = Math.clamp(BATCH_BYTES / valueBytes, 1, 16);
        Random order = new Random(2);
        for (int i = 0; i < keys.length; i += batch) {
            write(order, i, batch);
        }
        database.db().compactRange(database.cells());
        for (int i = 1; hot && i < OVERWRITES; i++) {
            write(order, i * keys.length, 1);
        }
        for (int i = 0; i < keys.length; i++) {
            readBlock(i); // What a compaction has moved comes back into the cache only by this.
        }
        if (writing) {
            writer = Thread.ofPlatform().start(() -> {
                for (int i = OVERWRITES * keys.length; !ended; i += batch) {
                    write(order, i, batch);
                    for (int j = i; j < i + batch; j++) {
                        readBlock(hot ? 0 : j + keys.length / 2);
                    }
                    if (hot) {
                        write(order, i / keys.length * keys.length, 1);
                    }
                    LockSupport.parkNanos(Math.max(PAUSE_NANOS, NANOS_PER_BYTE * valueBytes * batch));
                }
            });
        }
    }

    private void write(Random order, int from, int cells) {
        RocksDatabase db = Objects.requireNonNull(database);
        try (WriteBatch writes = new WriteBatch();
                WriteOptions options = new WriteOptions()) {
            for (int i = from; i < from + cells; i++) {
                byte[] value = new byte[valueBytes];
                order.nextBytes(value);
                writes.merge(
                        db.cells(),
                        keys[i % keys.length],
                        Draft.ofValue(value)
                                .stamp(KEY, new Version((1L << 50) + i, 1), 3)
                                .bytes());
            }
            db.db().write(options, writes);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private void readBlock(int i) {
        try {
            Objects.requireNonNull(Objects.requireNonNull(database).read(keys[i % keys.length]));
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Benchmark
    public byte @Nullable [] readMemory() {
        return Objects.requireNonNull(database).readMemory(keys[hot ? 0 : random.nextInt(keys.length)]);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException, InterruptedException {
        ended = true;
        if (writer != null) {
            writer.join();
        }
        Objects.requireNonNull(database).close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
