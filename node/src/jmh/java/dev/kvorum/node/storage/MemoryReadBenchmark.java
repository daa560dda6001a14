package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Version;
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
 * flushes and compacts all the time. 20,000 keys, values of 100 bytes, memtables of 1 MiB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 5)
public class MemoryReadBenchmark {
    private static final int KEYS = 20_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Whether the other thread writes: 16 cells every millisecond. */
    @Param({"false", "true"})
    boolean writing;

    private final Random random = new Random(1);
    private final byte[][] keys = new byte[KEYS][];
    private Path directory = Path.of("");
    private @Nullable RocksDatabase database;
    private @Nullable Thread writer;
    private volatile boolean ended;

    @Setup(Level.Trial)
    public void open() throws IOException, RocksDBException {
        directory = Files.createTempDirectory("memory-read");
        database = RocksDatabase.open(
                directory,
                new StorageSettings(
                        Durability.ASYNC,
                        Duration.ofMillis(100),
                        16,
                        1,
                        DataSize.ofMegabytes(64),
                        DataSize.ofBytes(0),
                        DataSize.ofMegabytes(1),
                        16,
                        2,
                        64));
        for (int i = 0; i < KEYS; i++) {
            keys[i] = ("key-" + i).getBytes(StandardCharsets.UTF_8);
        }
        Random order = new Random(2);
        for (int i = 0; i < KEYS; i += 16) {
            write(order, i);
        }
        if (writing) {
            writer = Thread.ofPlatform().start(() -> {
                for (int i = 0; !ended; i += 16) {
                    write(order, i);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            });
        }
    }

    private void write(Random order, int from) {
        RocksDatabase db = Objects.requireNonNull(database);
        try (WriteBatch batch = new WriteBatch();
                WriteOptions options = new WriteOptions()) {
            for (int i = from; i < from + 16; i++) {
                byte[] value = new byte[100];
                order.nextBytes(value);
                batch.merge(
                        db.cells(),
                        keys[i % KEYS],
                        Draft.ofValue(value)
                                .stamp(new Version((1L << 50) + i, 1), 3)
                                .bytes());
            }
            db.db().write(options, batch);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Benchmark
    public byte @Nullable [] readMemory() {
        return Objects.requireNonNull(database).readMemory(keys[random.nextInt(KEYS)]);
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
