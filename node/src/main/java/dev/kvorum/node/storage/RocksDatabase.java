package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.config.StorageSettings;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Holder;
import org.rocksdb.HyperClockCache;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database: how it is opened, tuned and closed. Its column families are the cells, the node's own notes, hints, and registers. */
final class RocksDatabase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDatabase.class);
    private static final byte[] CELLS = RocksDB.DEFAULT_COLUMN_FAMILY;
    private static final byte[] NOTES = {'n', 'o', 't', 'e', 's'};
    private static final byte[] HINTS = {'h', 'i', 'n', 't', 's'};
    private static final byte[] REGISTERS = {'r', 'e', 'g', 'i', 's', 't', 'e', 'r', 's'};
    private static final byte[] SYNCED = {'s', 'y', 'n', 'c', 'e', 'd'};
    private static final byte[] NOTHING = {};
    private static final byte[] LAST = {-1, -1, -1}; // Behind every key: their bytes are UTF-8, which has no 0xFF.
    private static final double BLOOM_BITS_PER_KEY = 10; // One false hit in a hundred.
    private static final int BLOCK_BYTES = 4096;
    private static final int MEMTABLE_BLOCKS = 64;
    // Automatic: shards of 32 MiB or more. In smaller ones a few large blocks evict the indexes of files.
    private static final int CACHE_SHARD_BITS = -1;
    // A removed file's blocks are looked for in the cache until the next is there with a chance below 0.99^999.
    private static final String UNCACHE_NEARLY_ALWAYS = "1000";
    private static final int LOG_FILES_MAX = 4;
    private static final long LOG_FILE_BYTES_MAX = 4L << 20;

    private final ReadOptions readOptions = new ReadOptions();
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    private final RocksDB db;
    private final ColumnFamilyHandle cells;
    private final ColumnFamilyHandle notes;
    private final ColumnFamilyHandle hints;
    private final ColumnFamilyHandle registers;
    private boolean closed;

    private RocksDatabase(Path directory, StorageSettings settings) throws RocksDBException {
        MemorySplit memory = MemorySplit.of(settings);
        LOG.info("RocksDB has {}", memory);
        Cache cache = own(new HyperClockCache(memory.cacheBytes(), BLOCK_BYTES, CACHE_SHARD_BITS, false));
        ColumnFamilyOptions options = own(cellOptions(memory, cache));
        ColumnFamilyOptions noteOptions = own(new ColumnFamilyOptions());
        ColumnFamilyOptions hintOptions = own(hintOptions(memory, cache));
        ColumnFamilyOptions registerOptions = own(registerOptions(memory, cache));
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        this.db = RocksDB.open(
                own(databaseOptions(settings, memory, cache)),
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
        own(readOptions);
    }

    /** Opens the database of that directory, or makes an empty one. Blocks. */
    static RocksDatabase open(Path directory, StorageSettings settings) {
        RocksDB.loadLibrary();
        try {
            return new RocksDatabase(directory, settings);
        } catch (RocksDBException e) {
            throw refusal(directory, e);
        }
    }

    private static DataDirectoryException refusal(Path directory, RocksDBException e) {
        boolean inUse = String.valueOf(e.getMessage()).contains("lock");
        return inUse
                ? DirectoryTrial.inUse(directory, Optional.empty(), e)
                : new DataDirectoryException(
                        "the database in " + directory + " can't be opened: " + e.getMessage(),
                        "Check the disk, its free space and the rights on the directory. A damaged directory can be"
                                + " emptied: what it held is then only on the other replicas.",
                        e);
    }

    private DBOptions databaseOptions(StorageSettings settings, MemorySplit memory, Cache cache) {
        return new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setMaxBackgroundJobs(settings.backgroundJobs())
                .setListeners(gentleBackground())
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

    /** None in a jar that holds others: the database's own threads look for the classes of a callback where those are not, and end the process. */
    private List<AbstractEventListener> gentleBackground() {
        boolean isFound = ClassLoader.getSystemClassLoader().equals(AbstractEventListener.class.getClassLoader());
        return isFound ? List.of(own(new GentleBackground())) : List.of();
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

    /** The newest bytes under a key; null if there are none. Blocks. */
    byte @Nullable [] read(byte[] key) throws RocksDBException {
        return db.get(cells, readOptions, key);
    }

    /**
     * The newest bytes under a key, if memtables and block cache have them; null if they have not, which says nothing about the
     * disk. Reads no file, so that an event loop may call it.
     */
    byte @Nullable [] readMemory(byte[] key) {
        if (!life.readLock().tryLock()) {
            return null; // Closing: a read of a closed database would end the process.
        }
        try {
            // Not get() with a tier of its own: that answers a miss with an exception, which costs more than the read.
            Holder<byte[]> found = new Holder<>();
            return !closed && db.keyMayExist(cells, readOptions, key, found) ? ifCell(found.getValue()) : null;
        } finally {
            life.readLock().unlock();
        }
    }

    /**
     * Null unless those bytes can be a cell: where the cache has not even the index of a file, RocksDB calls the key found and gives
     * no bytes (facebook/rocksdb#12921).
     */
    private static byte @Nullable [] ifCell(byte @Nullable [] bytes) {
        return bytes == null || bytes.length < Cell.HEADER_BYTES ? null : bytes;
    }

    /** Sees a key and its newest bytes; false ends the walk. */
    @FunctionalInterface
    interface Visitor {
        boolean visit(byte[] key, byte[] newest);
    }

    /**
     * Visits keys in order, as they are at one moment, and leaves the memory for blocks to those that clients read. Blocks.
     *
     * @param end the first key that is not visited; null visits to the end
     */
    void forEach(byte[] begin, byte @Nullable [] end, Visitor visitor) throws RocksDBException {
        forEach(cells, begin, end, visitor);
    }

    /** As above, in another column family. */
    void forEach(ColumnFamilyHandle family, byte[] begin, byte @Nullable [] end, Visitor visitor)
            throws RocksDBException {
        try (Slice bound = end == null ? new Slice(new byte[0]) : new Slice(end);
                ReadOptions options = new ReadOptions().setFillCache(false)) {
            if (end != null) {
                options.setIterateUpperBound(bound);
            }
            try (RocksIterator at = db.newIterator(family, options)) {
                at.seek(begin);
                while (at.isValid() && visitor.visit(at.key(), at.value())) {
                    at.next();
                }
                at.status(); // An iterator that meets an error is invalid, as one that has come to the end.
            }
        }
    }

    /** Deletes what lies between two keys, at once or not at all. Blocks. */
    void drop(byte[] begin, byte @Nullable [] end, WriteOptions options) throws RocksDBException {
        db.deleteRange(cells, options, begin, end == null ? LAST : end);
    }

    /** Estimates what lies between two keys. Blocks, but reads next to nothing. */
    PartitionSize size(byte[] begin, byte @Nullable [] end) throws RocksDBException {
        byte[] bound = end == null ? LAST : end;
        try (Slice from = new Slice(begin);
                Slice to = new Slice(bound)) {
            Range range = new Range(from, to);
            long files = db.getApproximateSizes(cells, List.of(range), SizeApproximationFlag.INCLUDE_FILES)[0];
            RocksDB.CountAndSize memory = db.getApproximateMemTableStats(cells, range);
            return new PartitionSize(files + memory.size, cellsIn(files) + memory.count);
        }
    }

    /** At the average length of all. */
    private long cellsIn(long fileBytes) throws RocksDBException {
        long bytes = db.getLongProperty(cells, "rocksdb.live-sst-files-size");
        long keys = db.getLongProperty(cells, "rocksdb.estimate-num-keys")
                - db.getLongProperty(cells, "rocksdb.num-entries-active-mem-table");
        return bytes == 0 ? 0 : (long) ((double) fileBytes / bytes * Math.max(0, keys));
    }

    /** A number that RocksDB knows of itself; NaN once closed. Any thread. */
    double property(String name) {
        life.readLock().lock(); // A property of a closed database would end the process.
        try {
            return closed ? Double.NaN : db.getLongProperty(cells, name);
        } catch (RocksDBException e) {
            return Double.NaN;
        } finally {
            life.readLock().unlock();
        }
    }

    /**
     * Brings the log to the disk, having written something to it, which takes a sequence number. Blocks, and holds up no writes.
     *
     * <p>That write is what fails where the disk was full a moment ago. Without it {@code flushWal} would meet the log's writer, which has failed,
     * and RocksDB takes what it then says for an error that nothing mends: it would stay stopped when there is room again.
     */
    void sync() throws RocksDBException {
        db.put(notes, SYNCED, NOTHING);
        syncWritten();
    }

    /** The same for who has just written something. */
    void syncWritten() throws RocksDBException {
        db.flushWal(true);
    }

    /** Closes it; nobody may use it afterwards. Blocks. */
    @Override
    public void close() {
        life.writeLock().lock();
        try {
            closed = true;
            sync();
        } catch (RocksDBException e) {
            throw new IllegalStateException("The log could not be brought to the disk on closing", e);
        } finally {
            owned.forEach(RocksDatabase::release);
            life.writeLock().unlock();
        }
    }

    private static void release(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException("RocksDB could not release " + resource, e);
        }
    }
}
