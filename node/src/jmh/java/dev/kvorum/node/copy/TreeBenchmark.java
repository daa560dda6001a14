package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.io.IOException;
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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A partition's tree kept up to date by each write, which has to look for the cell that it replaces, against one that is made by a walk through the
 * partition when it is needed. {@value #PARTITIONS} partitions of {@value #CELLS} cells with values of 100 bytes, commits of 16, one thread; all
 * per cell.
 */
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class TreeBenchmark {
    private static final Key KEY = Key.of("some-key");
    private static final int PARTITIONS = 256;
    private static final int CELLS = 1_000;
    private static final int BATCH = 16;
    private static final int VALUE_BYTES = 100;

    private final Random random = new Random(1);
    private final CellHash hash = new CellHash(7);
    private final MerkleTree tree = new MerkleTree(64);
    private @Nullable WriteOptions writeOptions; // Native, like all of RocksDB: made once its library is loaded.
    private @Nullable ReadOptions readOptions;
    private Path directory = Path.of("");
    private @Nullable RocksDB db;
    private long time = 1L << 50;

    @Setup(Level.Trial)
    public void open() throws IOException, RocksDBException {
        RocksDB.loadLibrary();
        writeOptions = new WriteOptions();
        readOptions = new ReadOptions().setFillCache(false);
        directory = Files.createTempDirectory("trees");
        BlockBasedTableConfig table = new BlockBasedTableConfig().setFilterPolicy(new BloomFilter(10));
        db = RocksDB.open(
                new Options()
                        .setCreateIfMissing(true)
                        .setTableFormatConfig(table)
                        .setWriteBufferSize(16 << 20)
                        .setMergeOperatorName("max"),
                directory.toString());
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int i = 0; i < CELLS; i++) {
                db.merge(storageKey(partition, key(i)), nextCell().bytes());
            }
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

    private static Key key(int i) {
        return Key.of("some-key-" + i);
    }

    private static byte[] storageKey(int partition, Key key) {
        byte[] utf8 = key.utf8();
        byte[] bytes = new byte[2 + utf8.length];
        bytes[0] = (byte) (partition >>> 8);
        bytes[1] = (byte) partition;
        System.arraycopy(utf8, 0, bytes, 2, utf8.length);
        return bytes;
    }

    private Cell nextCell() {
        return Draft.ofValue(new byte[VALUE_BYTES]).stamp(KEY, new Version(time++, 1), 3);
    }

    /** What a write costs without a tree. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void write() throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < BATCH; i++) {
                batch.merge(
                        storageKey(random.nextInt(PARTITIONS), key(random.nextInt(CELLS))),
                        nextCell().bytes());
            }
            database().write(Objects.requireNonNull(writeOptions), batch);
        }
    }

    /** What it costs with one: the former cell is taken out of the sum, the new one added. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void writeAndMaintain() throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < BATCH; i++) {
                Key key = key(random.nextInt(CELLS));
                byte[] storageKey = storageKey(random.nextInt(PARTITIONS), key);
                Cell cell = nextCell();
                byte @Nullable [] former = database().get(storageKey);
                if (former != null) {
                    tree.add(CellHash.leafOf(key, 64), hash.of(key, Cell.decode(former)));
                }
                tree.add(CellHash.leafOf(key, 64), hash.of(key, cell));
                batch.merge(storageKey, cell.bytes());
            }
            database().write(Objects.requireNonNull(writeOptions), batch);
        }
    }

    /** A walk through one partition that does nothing with what it sees. */
    @Benchmark
    @OperationsPerInvocation(CELLS)
    public long walk() {
        long bytes = 0;
        try (RocksIterator at = begin(random.nextInt(PARTITIONS))) {
            for (int i = 0; i < CELLS; i++) {
                bytes += at.key().length + at.value().length;
                at.next();
            }
        }
        return bytes;
    }

    /** The same, and its tree. */
    @Benchmark
    @OperationsPerInvocation(CELLS)
    public MerkleTree walkAndMakeTree() {
        MerkleTree made = new MerkleTree(64);
        try (RocksIterator at = begin(random.nextInt(PARTITIONS))) {
            for (int i = 0; i < CELLS; i++) {
                byte[] storageKey = at.key();
                Key key = Key.ofUtf8(Arrays.copyOfRange(storageKey, 2, storageKey.length));
                made.add(CellHash.leafOf(key, 64), hash.of(key, Cell.decode(at.value())));
                at.next();
            }
        }
        return made;
    }

    private RocksIterator begin(int partition) {
        RocksIterator at = database().newIterator(Objects.requireNonNull(readOptions));
        at.seek(new byte[] {(byte) (partition >>> 8), (byte) partition});
        return at;
    }
}
