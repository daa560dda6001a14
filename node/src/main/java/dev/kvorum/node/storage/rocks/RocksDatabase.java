package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.Wholeness;
import dev.kvorum.node.storage.directory.OwnerOnly;
import dev.kvorum.node.storage.rocks.SyncMark.Synced;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Holder;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database: what it is asked, and when it is opened, opened again and closed. Its column families are the cells, the node's own notes, hints, and registers. */
final class RocksDatabase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDatabase.class);
    static final String CURRENT = "CURRENT"; // Files of RocksDB.
    private static final String IDENTITY = "IDENTITY";
    private static final byte[] SYNCED = {'s', 'y', 'n', 'c', 'e', 'd'};
    private static final byte[] NOTHING = {};
    private static final byte[] LAST = {-1, -1, -1}; // Behind every key: their bytes are UTF-8, which has no 0xFF.

    private final ReadOptions readOptions = new ReadOptions();
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    private final Path directory;
    private final Path synced;
    private final StorageSettings settings;
    private final List<AbstractEventListener> listeners;
    private final MemorySplit memory;
    private final DirectoryIdentity identity;
    private final SyncMark mark;
    private volatile @Nullable OpenDatabase opened; // None while it is opened again.
    private volatile @Nullable String moved; // Why the directory is not the one that was opened, or claimed.
    private boolean closed;

    private RocksDatabase(
            Path directory,
            Path synced,
            boolean mayBeNew,
            StorageSettings settings,
            List<AbstractEventListener> listeners)
            throws RocksDBException, IOException {
        this.directory = directory;
        this.settings = settings;
        this.listeners = listeners;
        this.memory = MemorySplit.of(settings);
        LOG.info("RocksDB has {}", memory);
        OwnerOnly.makeDirectories(directory);
        this.synced = synced;
        Optional<Synced> former = SyncMark.last(synced);
        boolean isNew = former.isEmpty() && mayBeNew;
        if ((!isNew && isMissing(CURRENT)) || (former.isPresent() && isMissing(IDENTITY))) {
            throw lost("the database in " + directory + " is gone", null);
        }
        if (former.isPresent()) {
            requireSameDatabase(former.get());
        }
        OpenDatabase found = openWhole(isNew, former.map(Synced::sequence).orElse(0L));
        try {
            this.mark = SyncMark.begin(synced, databaseIdentity(), found.db().getLatestSequenceNumber());
            this.identity = DirectoryIdentity.of(directory);
        } catch (IOException | RuntimeException e) {
            found.close();
            throw e;
        }
        this.opened = found;
    }

    private static LostDataException lost(String reason, @Nullable Throwable cause) {
        return new LostDataException(reason, LostDataException.COPY_FIRST + ".", cause);
    }

    /** What a failed use says of the directory, before a node works on it. */
    static DataDirectoryException failure(RocksDBException e) {
        return DiskFailure.isDamage(e)
                ? lost("a file of the database is damaged: " + e.getMessage(), e)
                : new DataDirectoryException(
                        "the database can't be read or written: " + e.getMessage(),
                        "Check the disk and its free space.",
                        e);
    }

    private void requireSameDatabase(Synced former) throws IOException {
        String found = databaseIdentity();
        if (!found.equals(former.database())) {
            throw lost(
                    "the database in " + directory + " is not the one that this member has used: its identity is "
                            + found + ", not " + former.database(),
                    null);
        }
    }

    /** Not where that can't be told: a disk that fails is no loss. */
    private boolean isMissing(String file) {
        return Files.notExists(directory.resolve(file));
    }

    private String databaseIdentity() throws IOException {
        return Files.readString(directory.resolve(IDENTITY)).strip();
    }

    /**
     * Opens it with all that is on the disk. A damaged database that this member has used is a loss.
     *
     * @param noted the sequence number of the last write that is known to be on the disk
     */
    private OpenDatabase openWhole(boolean mayBeNew, long noted) throws RocksDBException {
        OpenDatabase found;
        try {
            found = new OpenDatabase(directory, settings, memory, mayBeNew, listeners);
        } catch (RocksDBException e) {
            if (DiskFailure.isDamage(e) || DiskFailure.isMissingFile(e)) {
                throw lost("the database in " + directory + " is damaged: " + e.getMessage(), e);
            }
            throw e;
        }
        try {
            Wholeness.requireSynced(
                    inWords(),
                    found.db().getLatestSequenceNumber(),
                    noted,
                    LostDataException.COPY_FIRST + ", or remove " + synced + " to go on with what is left.");
        } catch (LostDataException e) {
            found.close();
            throw e;
        }
        return found;
    }

    /**
     * Looks whether the database is an older copy.
     *
     * @param remembered how many changes are in it at least, as other members remember
     * @throws LostDataException if it has fewer
     */
    void requireWritten(long remembered) {
        Wholeness.requireRemembered(inWords(), changesOnDisk(), remembered);
    }

    /**
     * Reads what every start reads: all notes, and the notes of hints. They are few. Blocks.
     *
     * @throws LostDataException if one is damaged
     */
    void requireReadableNotes() {
        try {
            forEach(notes(), new byte[0], null, (key, note) -> true);
            forEach(hints(), HintLayout.notesBegin(), HintLayout.notesEnd(), (key, note) -> true);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private String inWords() {
        return "the database in " + directory;
    }

    /** How many changes are on the disk at least. */
    long changesOnDisk() {
        return mark.sequence();
    }

    /** As the other, with the mark inside of the directory. */
    static RocksDatabase open(Path directory, StorageSettings settings) {
        return open(directory, directory.resolve("SYNCED"), true, settings);
    }

    /**
     * Opens the database of that directory, or makes an empty one. Blocks.
     *
     * @param synced the note of how much of it is on the disk
     * @param mayBeNew false where there was one before
     * @throws LostDataException if it has less than that
     */
    static RocksDatabase open(Path directory, Path synced, boolean mayBeNew, StorageSettings settings) {
        return open(directory, synced, mayBeNew, settings, List.of());
    }

    /**
     * As the other.
     *
     * @param listeners hear of what the database does with its files, on its own threads, until it is closed
     */
    static RocksDatabase open(
            Path directory,
            Path synced,
            boolean mayBeNew,
            StorageSettings settings,
            List<AbstractEventListener> listeners) {
        RocksDB.loadLibrary();
        try {
            return new RocksDatabase(directory, synced, mayBeNew, settings, listeners);
        } catch (RocksDBException | IOException e) {
            throw refusal(directory, e);
        }
    }

    private static DataDirectoryException refusal(Path directory, Exception e) {
        boolean inUse = String.valueOf(e.getMessage()).contains("/LOCK"); // Its name: "lock" is in "block" too.
        return inUse
                ? DataDirectoryException.inUse(directory, Optional.empty(), e)
                : new DataDirectoryException(
                        "the database in " + directory + " can't be opened: " + e.getMessage(),
                        "Check the disk, its free space and the rights on the directory. A damaged directory can be"
                                + " emptied: what it held is then only on the other replicas.",
                        e);
    }

    /** Work that uses the database: it is neither closed nor opened again meanwhile. Any thread that may block. */
    void use(Runnable work) {
        life.readLock().lock();
        try {
            work.run();
        } finally {
            life.readLock().unlock();
        }
    }

    /** The same for work that has a result. */
    <T> T ask(Supplier<T> work) {
        life.readLock().lock();
        try {
            return work.get();
        } finally {
            life.readLock().unlock();
        }
    }

    /**
     * Closes the database and opens it again, between two uses. Blocks. If that fails, uses fail until another call succeeds.
     *
     * @return false if a use did not end in time; then nothing has changed
     */
    boolean reopen(Duration patience) throws RocksDBException {
        if (!awaitUnused(patience)) {
            return false;
        }
        try {
            OpenDatabase former = opened;
            opened = null;
            if (former != null) {
                former.close();
            }
            if (!closed) {
                opened = openWhole(false, mark.sequence()); // What is gone must not look empty.
            }
            return true;
        } finally {
            life.writeLock().unlock();
        }
    }

    private boolean awaitUnused(Duration patience) {
        try {
            return life.writeLock().tryLock(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private OpenDatabase opened() {
        OpenDatabase now = opened;
        if (now == null || moved != null) {
            throw new IllegalStateException(moved == null ? "the database is being opened again" : moved);
        }
        return now;
    }

    /** Of the one that is open now; as those below. In a {@link #use} only. */
    RocksDB db() {
        return opened().db();
    }

    ColumnFamilyHandle cells() {
        return opened().cells();
    }

    ColumnFamilyHandle notes() {
        return opened().notes();
    }

    ColumnFamilyHandle hints() {
        return opened().hints();
    }

    ColumnFamilyHandle registers() {
        return opened().registers();
    }

    Path directory() {
        return directory;
    }

    /** Bytes that it writes before they become files, about. */
    long memtableBytes() {
        return memory.memtableBytes();
    }

    /**
     * Finds out that the directory was moved, deleted or replaced: what is synced then is not where the next life of this node looks for it. From then on all
     * uses fail. Any thread.
     *
     * @throws IllegalStateException if it was
     */
    void requireSameDirectory() throws IOException {
        if (moved == null) {
            identity.change()
                    .ifPresent(change -> moved =
                            "the data directory " + directory + " is not the one that this node has opened: " + change);
        }
        requireNotMoved();
    }

    /**
     * Fails if it was found out by now that the directory was moved, deleted or replaced. Any thread; asks no file system.
     *
     * @throws IllegalStateException if it was
     */
    void requireNotMoved() {
        if (moved != null) {
            throw new IllegalStateException(moved);
        }
    }

    /** From now on all uses fail. Any thread. */
    void giveUp(String reason) {
        moved = reason;
    }

    /** The column family of a file of that name; empty if none has it. Blocks. */
    Optional<String> familyOf(String file) {
        return db().getLiveFilesMetaData().stream()
                .filter(live -> live.fileName().endsWith(file))
                .map(live -> new String(live.columnFamilyName(), StandardCharsets.UTF_8))
                .findFirst();
    }

    /** The newest bytes under a key; null if there are none. Blocks. */
    byte @Nullable [] read(byte[] key) throws RocksDBException {
        return db().get(cells(), readOptions, key);
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
            return opened != null && moved == null && db().keyMayExist(cells(), readOptions, key, found)
                    ? ifCell(found.getValue())
                    : null;
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
        forEach(cells(), begin, end, visitor);
    }

    /** As above, in another column family. */
    void forEach(ColumnFamilyHandle family, byte[] begin, byte @Nullable [] end, Visitor visitor)
            throws RocksDBException {
        try (Slice bound = end == null ? new Slice(new byte[0]) : new Slice(end);
                ReadOptions options = new ReadOptions().setFillCache(false)) {
            if (end != null) {
                options.setIterateUpperBound(bound);
            }
            try (RocksIterator at = db().newIterator(family, options)) {
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
        db().deleteRange(cells(), options, begin, end == null ? LAST : end);
    }

    /** Estimates what lies between two keys. Blocks, but reads next to nothing. */
    PartitionSize size(byte[] begin, byte @Nullable [] end) throws RocksDBException {
        byte[] bound = end == null ? LAST : end;
        try (Slice from = new Slice(begin);
                Slice to = new Slice(bound)) {
            Range range = new Range(from, to);
            long files = db().getApproximateSizes(cells(), List.of(range), SizeApproximationFlag.INCLUDE_FILES)[0];
            RocksDB.CountAndSize memory = db().getApproximateMemTableStats(cells(), range);
            return new PartitionSize(files + memory.size, cellsIn(files) + memory.count);
        }
    }

    /** At the average length of all. */
    private long cellsIn(long fileBytes) throws RocksDBException {
        long bytes = db().getLongProperty(cells(), "rocksdb.live-sst-files-size");
        long keys = db().getLongProperty(cells(), "rocksdb.estimate-num-keys")
                - db().getLongProperty(cells(), "rocksdb.num-entries-active-mem-table");
        return bytes == 0 ? 0 : (long) ((double) fileBytes / bytes * Math.max(0, keys));
    }

    /** A number that RocksDB knows of itself; NaN while it is closed. Any thread. */
    double property(String name) {
        if (!life.readLock().tryLock()) {
            return Double.NaN; // Closing: a property of a closed database would end the process.
        }
        try {
            return opened == null || moved != null ? Double.NaN : db().getLongProperty(cells(), name);
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
        db().put(notes(), SYNCED, NOTHING);
        syncWritten();
    }

    /** The same for who has just written something. */
    void syncWritten() throws RocksDBException {
        long written = db().getLatestSequenceNumber();
        db().flushWal(true);
        synced(written);
    }

    /** The sequence number of the last write. */
    long written() {
        return db().getLatestSequenceNumber();
    }

    /** The same at any time; negative while the database is closed. Does not block. Any thread. */
    long writtenNow() {
        if (!life.readLock().tryLock()) {
            return -1; // As a property.
        }
        try {
            return opened == null || moved != null ? -1 : db().getLatestSequenceNumber();
        } finally {
            life.readLock().unlock();
        }
    }

    /** All up to this number is on the disk now. */
    void synced(long sequence) {
        requireSyncCounts();
        try {
            mark.raise(sequence);
        } catch (IOException e) {
            throw new UncheckedIOException("What is on the disk can't be noted", e);
        }
    }

    /** Behind each sync, before it counts. */
    private void requireSyncCounts() {
        try {
            requireSameDirectory();
        } catch (IOException e) {
            throw new UncheckedIOException("Whether the data directory is still the same can't be told", e);
        }
    }

    /** Closes it; nobody may use it afterwards. Blocks. */
    @Override
    public void close() {
        life.writeLock().lock();
        try {
            closed = true;
            if (opened != null) {
                sync();
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException("The log could not be brought to the disk on closing", e);
        } finally {
            OpenDatabase last = opened;
            opened = null;
            if (last != null) {
                last.close();
            }
            endMarks();
            readOptions.close();
            life.writeLock().unlock();
        }
    }

    private void endMarks() {
        try {
            mark.close();
        } catch (IOException e) {
            LOG.warn("The note of what is on the disk could not be closed", e);
        }
    }
}
