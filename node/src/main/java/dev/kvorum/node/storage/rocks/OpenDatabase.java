package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.storage.StorageKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.HyperClockCache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBufferManager;

/** RocksDB while it is open: how it is opened and tuned, and its column families. Nobody may use it once it is closed. */
final class OpenDatabase implements AutoCloseable {
    private static final byte[] CELLS = RocksDB.DEFAULT_COLUMN_FAMILY;
    private static final byte[] NOTES = {'n', 'o', 't', 'e', 's'};
    private static final byte[] HINTS = {'h', 'i', 'n', 't', 's'};
    private static final byte[] REGISTERS = {'r', 'e', 'g', 'i', 's', 't', 'e', 'r', 's'};
    private static final double BLOOM_BITS_PER_KEY = 10; // One false hit in a hundred.
    private static final int BLOCK_BYTES = 4096;
    private static final int MEMTABLE_BLOCKS = 64;
    // Automatic: shards of 32 MiB or more. In smaller ones a few large blocks evict the indexes of files.
    private static final int CACHE_SHARD_BITS = -1;
    // A removed file's blocks are looked for in the cache until the next is there with a chance below 0.99^999.
    private static final String UNCACHE_NEARLY_ALWAYS = "1000";
    private static final int LOG_FILES_MAX = 4;
    private static final long LOG_FILE_BYTES_MAX = 4L << 20;

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final RocksDB db;
    private final ColumnFamilyHandle cells;
    private final ColumnFamilyHandle notes;
    private final ColumnFamilyHandle hints;
    private final ColumnFamilyHandle registers;

    /**
     * Opens it. Blocks.
     *
     * @param mayBeNew makes an empty one if there is none
     * @param listeners hear of what it does with its files, on its own threads; not closed with it
     */
    OpenDatabase(
            Path directory,
            StorageSettings settings,
            MemorySplit memory,
            boolean mayBeNew,
            List<AbstractEventListener> listeners)
            throws RocksDBException {
        try {
            Cache cache = own(new HyperClockCache(memory.cacheBytes(), BLOCK_BYTES, CACHE_SHARD_BITS, false));
            ColumnFamilyOptions options = own(cellOptions(memory, cache));
            ColumnFamilyOptions noteOptions = own(new ColumnFamilyOptions());
            ColumnFamilyOptions hintOptions = own(hintOptions(memory, cache));
            ColumnFamilyOptions registerOptions = own(registerOptions(memory, cache));
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            this.db = RocksDB.open(
                    own(databaseOptions(settings, memory, cache)
                            .setCreateIfMissing(mayBeNew)
                            .setWalTtlSeconds(settings.logKept().plusMillis(999).toSeconds())
                            .setWalSizeLimitMB(logMegabytesMax(directory, settings))
                            .setListeners(withGentleBackground(listeners))),
                    directory.toString(),
                    List.of(
                            new ColumnFamilyDescriptor(CELLS, options),
                            new ColumnFamilyDescriptor(NOTES, noteOptions),
                            new ColumnFamilyDescriptor(HINTS, hintOptions),
                            new ColumnFamilyDescriptor(REGISTERS, registerOptions)),
                    handles);
            own(db);
            this.cells = own(handles.get(0));
            this.notes = own(handles.get(1));
            this.hints = own(handles.get(2));
            this.registers = own(handles.get(3));
        } catch (RocksDBException | RuntimeException e) {
            close(); // What was made for it is freed.
            throw e;
        }
    }

    private DBOptions databaseOptions(StorageSettings settings, MemorySplit memory, Cache cache) {
        return chainedLogs()
                .setCreateMissingColumnFamilies(true)
                .setMaxBackgroundJobs(settings.backgroundJobs())
                .setMaxOpenFiles(settings.openFilesMax())
                .setMaxTotalWalSize(memory.memtableBytes() * 4)
                // Memtables are charged to the block cache, so that the two together have one bound.
                .setWriteBufferManager(own(new WriteBufferManager(memory.memtableBytes() * 2, cache)))
                .setBytesPerSync(
                        1 << 20) // Spreads the writing back of large files, which otherwise stalls a sync of the log.
                .setWalBytesPerSync(512 << 10)
                .setKeepLogFileNum(LOG_FILES_MAX)
                .setMaxLogFileSize(LOG_FILE_BYTES_MAX);
    }

    /**
     * Options by which each log names the end of the one before: what came later is not recovered where that end is missing. A power cut may leave it so, since a log is continued in another file before
     * all of it is on the disk. Only as text does the database's Java interface have them.
     */
    private static DBOptions chainedLogs() {
        Properties options = new Properties();
        options.setProperty("track_and_verify_wals", "true");
        return Objects.requireNonNull(DBOptions.getDBOptionsFromProps(options), "RocksDB does not know " + options);
    }

    /** 0 where none is kept: RocksDB looks at both. */
    private static long logMegabytesMax(Path directory, StorageSettings settings) {
        if (settings.logKept().isZero()) {
            return 0;
        }
        try {
            return Math.max(1, LogArchive.bytesMax(directory) >> 20);
        } catch (IOException e) {
            return 1; // Whatever ails the disk: what follows says so.
        }
    }

    /** None in a jar that holds others: the database's own threads look for the classes of a callback where those are not, and end the process. */
    private List<AbstractEventListener> withGentleBackground(List<AbstractEventListener> others) {
        List<AbstractEventListener> listeners = new ArrayList<>(others);
        if (ClassLoader.getSystemClassLoader().equals(AbstractEventListener.class.getClassLoader())) {
            listeners.add(own(new GentleBackground()));
        }
        return listeners;
    }

    private ColumnFamilyOptions cellOptions(MemorySplit memory, Cache cache) {
        BlockBasedTableConfig table = new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setFilterPolicy(own(new BloomFilter(BLOOM_BITS_PER_KEY)))
                .setOptimizeFiltersForMemory(true)
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setBlockSize(BLOCK_BYTES)
                .setFormatVersion(6);
        // Memtables remember where each partition's last cell went, some 250 bytes for each that has one. The next is
        // looked for from there, among those of its partition: few of all nodes are in the processor's cache.
        String partition = "rocksdb.FixedPrefix." + StorageKey.PARTITION_BYTES;
        return forgetful(Map.of("memtable_insert_with_hint_prefix_extractor", partition))
                // A newer cell has greater bytes: so the newest wins without a read before the write.
                .setMergeOperatorName("max")
                .setTableFormatConfig(table)
                .setWriteBufferSize(memory.flushBytes())
                // A memtable is full by whole blocks of its allocator: with the default ones, drawn sizes would be few.
                .setArenaBlockSize(memory.flushBytes() / MEMTABLE_BLOCKS)
                .setMemtablePrefixBloomSizeRatio(0.02)
                .setMemtableWholeKeyFiltering(true)
                .setLevelCompactionDynamicLevelBytes(true)
                .setCompressionType(CompressionType.LZ4_COMPRESSION);
    }

    /**
     * Options that let the cache forget a file's blocks together with the file: otherwise what compactions have replaced fills it, and
     * stays until something newer needs the room. Only as text does the database's Java interface have such options.
     */
    private static ColumnFamilyOptions forgetful(Map<String, String> further) {
        Properties options = new Properties();
        options.setProperty("uncache_aggressiveness", UNCACHE_NEARLY_ALWAYS);
        options.putAll(further);
        return Objects.requireNonNull(
                ColumnFamilyOptions.getColumnFamilyOptionsFromProps(options), "RocksDB does not know " + options);
    }

    /** Written once, read once in order, and removed: nothing of the cells' tuning serves them. */
    private static ColumnFamilyOptions hintOptions(MemorySplit memory, Cache cache) {
        return new ColumnFamilyOptions()
                .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache))
                .setWriteBufferSize(memory.memtableBytes())
                .setCompressionType(CompressionType.LZ4_COMPRESSION);
    }

    /** Small rows, often written again, and asked for by key: also where there is none. */
    private ColumnFamilyOptions registerOptions(MemorySplit memory, Cache cache) {
        return forgetful(Map.of())
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setFilterPolicy(own(new BloomFilter(BLOOM_BITS_PER_KEY))))
                .setWriteBufferSize(memory.memtableBytes())
                .setCompressionType(CompressionType.LZ4_COMPRESSION);
    }

    private <T extends AutoCloseable> T own(T resource) {
        owned.push(resource);
        return resource;
    }

    RocksDB db() {
        return db;
    }

    ColumnFamilyHandle cells() {
        return cells;
    }

    ColumnFamilyHandle notes() {
        return notes;
    }

    ColumnFamilyHandle hints() {
        return hints;
    }

    ColumnFamilyHandle registers() {
        return registers;
    }

    @Override
    public void close() {
        owned.forEach(OpenDatabase::release);
        owned.clear();
    }

    private static void release(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException("RocksDB could not release " + resource, e);
        }
    }
}
