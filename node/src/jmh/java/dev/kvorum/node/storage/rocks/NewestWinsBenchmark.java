package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Newest-wins as the {@code max} merge operator against get-compare-put: what a write costs in a commit of {@value #BATCH}, and what
 * a read costs of keys that were overwritten often. Cells of 100 bytes of value, {@value #KEYS} keys, one thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class NewestWinsBenchmark {
    private static final Key KEY = Key.of("some-key");
    private static final int KEYS = 100_000;
    private static final int BATCH = 16;

    /** How the newest wins. */
    public enum Way {
        /** By the database's own merge operator. */
        MERGE,
        /** By reading what is there before each write. */
        GET_COMPARE_PUT
    }

    @Param
    Way way = Way.MERGE;

    private final Random random = new Random(1);
    private final byte[][] keys = new byte[KEYS][];
    private @Nullable WriteOptions writeOptions; // Native, like all of RocksDB: made once its library is loaded.
    private Path directory = Path.of("");
    private @Nullable RocksDB db;
    private long time = 1L << 50;

    @Setup(Level.Trial)
    public void open() throws IOException, RocksDBException {
        RocksDB.loadLibrary();
        writeOptions = new WriteOptions();
        directory = Files.createTempDirectory("newest-wins");
        BlockBasedTableConfig table = new BlockBasedTableConfig().setFilterPolicy(new BloomFilter(10));
        Options options = new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(table)
                .setWriteBufferSize(16 << 20);
        if (way == Way.MERGE) {
            options.setMergeOperatorName("max");
        }
        db = RocksDB.open(options, directory.toString());
        for (int i = 0; i < KEYS; i++) {
            keys[i] = ("xxkey-" + i).getBytes(StandardCharsets.US_ASCII);
        }
        for (int i = 0; i < 5 * KEYS / BATCH; i++) {
            write();
        }
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        database().close();
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        }
    }

    private RocksDB database() {
        return Objects.requireNonNull(db);
    }

    private byte[] nextKey() {
        return keys[random.nextInt(KEYS)];
    }

    private byte[] nextCell() {
        return Draft.ofValue(new byte[100])
                .stamp(KEY, new Version(time++, 1), 3)
                .bytes();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void write() throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < BATCH; i++) {
                add(batch, nextKey(), nextCell());
            }
            database().write(Objects.requireNonNull(writeOptions), batch);
        }
    }

    private void add(WriteBatch batch, byte[] key, byte[] cell) throws RocksDBException {
        switch (way) {
            case MERGE -> batch.merge(key, cell);
            case GET_COMPARE_PUT -> {
                byte @Nullable [] present = database().get(key);
                if (present == null || Arrays.compareUnsigned(cell, present) > 0) {
                    batch.put(key, cell);
                }
            }
        }
    }

    @Benchmark
    public byte @Nullable [] read() throws RocksDBException {
        return database().get(nextKey());
    }
}
