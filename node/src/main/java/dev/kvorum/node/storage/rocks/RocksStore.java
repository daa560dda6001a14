package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.cell.RecentLength;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.storage.CallingLoop;
import dev.kvorum.node.storage.CellStore;
import dev.kvorum.node.storage.ChangeLog;
import dev.kvorum.node.storage.DamageListener;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.HintStore;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.PartitionDrops;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.Store;
import dev.kvorum.node.storage.StoreChecks;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.thread.TimeSlice;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A node's store in RocksDB. One thread commits all writes that wait as one batch, so that they share the cost of the log. A read that
 * memtables or block cache can answer runs where it was asked for, unless answers have been long of late; readers of their own
 * ask the disk, so that a stalled write holds up none. Both queues are bounded, that of the writes in bytes as well.
 */
public final class RocksStore implements Store, CellStore {
    private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);
    private static final int BATCH_MAX = 256;
    private static final int LOOK_MILLIS = 10;
    private static final int OVERWRITES =
            16; // Of a key, which a memtable keeps before they are folded, on average. With all of them it is read a
    // hundred times slower.
    private static final int HEAP_PARTS = 4; // As much as the bodies of clients and of other members may take together.
    // Takes 4 us, less than a hand-over to another thread; 64 KiB take 12, 1 MiB 220 and more.
    private static final int READ_IN_PLACE_BYTES_MAX = 16 << 10;
    static final byte[] CLOCK = {'c', 'l', 'o', 'c', 'k'};

    private final RocksDatabase database;
    private final CallingLoop callers;
    private final WriteOptions writeOptions;
    private final boolean syncsCommits;
    private final Folding folding;
    private final WriteOptions logOptions = new WriteOptions(); // Whoever uses these syncs the log itself.
    private final WriteOptions promptOptions = new WriteOptions().setNoSlowdown(true); // Refused instead of waiting.
    private final BatchWorker<Commitment> writer;
    private final WaitingBytes waiting;
    private final List<BatchWorker<PendingRead>> readers;
    private final RocksPartitions partitions;
    private final RocksChecks checks;
    private final RocksRegisters registers;
    private final RocksHintStore hints;
    private final RocksChangeLog log;
    private final BatchWorker<MonoSink<Void>> syncer;
    private final Duration syncInterval;
    private final ScheduledExecutorService syncing;
    private final StoreMetrics metrics;
    private final RecentLength recent = new RecentLength();
    private final WatchedPartitions watched = new WatchedPartitions();
    private final MetDamage damage;
    private final DiskFailure failingCommits = new DiskFailure("A commit");
    private final DiskFailure failingReads = new DiskFailure("A read");
    private final DiskFailure failingSyncs = new DiskFailure("Bringing the log to the disk");
    // Two threads commit cells. Held from looking at one to putting another in its place or removing it: what the other
    // thread commits in between
    // would be lost.
    private final Object overwriting = new Object();
    private final ReentrantLock noteOrder =
            new ReentrantLock(); // Two threads write the clock's note: it must not go back.
    private volatile byte @Nullable [] failedRead; // The last key that could not be read.
    private volatile @Nullable DatabaseKeeper keeper;
    private volatile @Nullable DataDirectory kept;
    private volatile boolean unsynced;
    private volatile LongSupplier newest =
            this::newestNoted; // Until this life issues versions, that of the one before stays.
    private long noted; // Of the syncing thread, and after its end of the one that closes.

    RocksStore(
            RocksDatabase database,
            StorageSettings settings,
            HintSettings hintSettings,
            long waitingBytesMax,
            CallingLoop callers,
            MeterRegistry meters) {
        this.database = database;
        this.syncInterval = settings.syncInterval();
        this.waiting = new WaitingBytes(waitingBytesMax);
        this.callers = callers;
        this.metrics = new StoreMetrics(meters);
        this.writeOptions = new WriteOptions().setSync(settings.durability() == StorageSettings.Durability.FSYNC);
        this.syncsCommits = settings.durability() == StorageSettings.Durability.FSYNC;
        this.folding = new Folding(database, OVERWRITES, new SplittableRandom());
        this.writer = BatchWorker.ofRequests(
                "kvorum-store-writer",
                settings.queue(),
                BATCH_MAX,
                (List<Commitment> batch) -> database.use(() -> commit(batch)));
        this.readers = IntStream.range(0, settings.readThreads())
                .mapToObj(i -> BatchWorker.ofRequests(
                        "kvorum-store-reader-" + i,
                        settings.queue(),
                        BATCH_MAX,
                        (List<PendingRead> batch) ->
                                database.use(() -> batch.forEach(read -> Answering.guarded(() -> serve(read))))))
                .toList();
        this.damage = new MetDamage(writer::offer, meters);
        this.partitions = new RocksPartitions(database, writer::offer, watched, damage, () -> unsynced = true);
        this.checks = new RocksChecks(database, partitions);
        this.registers = new RocksRegisters(
                database,
                this::commitStep,
                overwriting,
                damage,
                settings.durability() == StorageSettings.Durability.FSYNC,
                settings.queue());
        this.hints = new RocksHintStore(database, hintSettings, () -> unsynced = true);
        this.log = new RocksChangeLog(database);
        this.syncer = BatchWorker.ofRequests(
                "kvorum-store-syncer",
                settings.queue(),
                BATCH_MAX,
                (List<MonoSink<Void>> sinks) -> database.use(() -> bringToDisk(sinks)));
        this.syncing = new ScheduledThreadPoolExecutor(1, RocksStore::syncingThread);
        metrics.watch(database, writer, waiting, readers, recent);
    }

    /** Commits wait for what it writes down. */
    private static Thread syncingThread(Runnable work) {
        return Thread.ofPlatform().name("kvorum-store-sync").daemon().unstarted(() -> {
            TimeSlice.shorten();
            work.run();
        });
    }

    /**
     * What a store needs of its process.
     *
     * @param callers the event loops whose writes are gathered by turns and answered there
     * @param end ends the process, where nothing else helps; gets the reason and the remedy
     */
    public record Host(CallingLoop callers, Consumer<String> end, MeterRegistry meters) {}

    /**
     * Opens the store of that directory, and looks after it until it is closed. It finds out why the database takes no writes, and opens it again when the cause is gone. It notices
     * when the directory is no longer the one that was claimed.
     *
     * <p>Blocks, also while a file that a former life found damaged is verified. Closing blocks until all that was accepted is on the disk.
     *
     * @param remembered how many changes are in it at least, as other members remember; 0 if none does
     * @throws LostDataException if the store has lost something that was on the disk
     */
    public static RocksStore open(
            DataDirectory directory, long remembered, StorageSettings settings, HintSettings hints, Host host) {
        RocksDatabase database =
                RocksDatabase.open(directory.database(), directory.synced(), !directory.hasHadDatabase(), settings);
        requireAll(database, directory, remembered);
        RocksStore store = new RocksStore(database, settings, hints, waitingBytesMax(), host.callers(), host.meters());
        store.lookAfter(directory, host);
        return store;
    }

    /** Notes that this database is that of the directory; closes it if it has fewer changes than others remember. */
    static void requireAll(RocksDatabase database, DataDirectory directory, long remembered) {
        try {
            database.requireWritten(remembered);
            database.requireReadableNotes();
            requireFinished(database);
            StoppedStore.finished(database)
                    .forEach(command -> LOG.info("The command \"{}\" was done on this database before", command));
        } catch (DataDirectoryException e) {
            database.close();
            throw e;
        }
        directory.noteDatabase();
    }

    private static void requireFinished(RocksDatabase database) {
        StoppedStore.unfinished(database).ifPresent(command -> {
            throw new DataDirectoryException(
                    "the command \"" + command + "\" was ended before it had finished its work on this data directory",
                    "Run it again, with the same options.");
        });
    }

    private static long waitingBytesMax() {
        return Runtime.getRuntime().maxMemory() / HEAP_PARTS;
    }

    /** As the other, of a database that no data directory knows. */
    static RocksStore open(
            Path directory, StorageSettings settings, HintSettings hints, CallingLoop callers, MeterRegistry meters) {
        return open(directory, settings, hints, waitingBytesMax(), callers, meters);
    }

    /** @param waitingBytesMax bytes of the writes that may wait */
    static RocksStore open(
            Path directory,
            StorageSettings settings,
            HintSettings hints,
            long waitingBytesMax,
            CallingLoop callers,
            MeterRegistry meters) {
        RocksDatabase database = RocksDatabase.open(directory, settings);
        return new RocksStore(database, settings, hints, waitingBytesMax, callers, meters);
    }

    @Override
    public void keepNewest(LongSupplier newest) {
        this.newest = newest;
        // The first note is on the disk before anything is issued: another life that begins soon must begin above this
        // one.
        sync(true);
        var _ = syncing.scheduleWithFixedDelay(
                this::syncIfNeeded, syncInterval.toMillis(), syncInterval.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public long changesOnDisk() {
        return database.changesOnDisk();
    }

    @Override
    public long newestOfFormerLife() {
        return database.ask(this::newestNoted);
    }

    private long newestNoted() {
        try {
            byte @Nullable [] note = database.db().get(database.notes(), CLOCK);
            return note == null ? 0 : ByteBuffer.wrap(note).getLong();
        } catch (RocksDBException e) {
            throw new IllegalStateException("The clock's last note can't be read", e);
        }
    }

    @Override
    public Mono<Void> write(int partition, Key key, Cell cell) {
        return Mono.create(sink -> {
            Executor loop = callers.get();
            PendingWrite write = new PendingWrite(StorageKey.of(partition, key), cell.bytes(), sink, loop);
            if (!waiting.add(write.cell().length)) {
                refuse(sink);
            } else if (!writer.offer(write, loop)) {
                waiting.remove(write.cell().length);
                refuse(sink);
            }
        });
    }

    @Override
    public Mono<Cell> read(int partition, Key key) {
        return Mono.create(sink -> {
            byte[] storageKey = StorageKey.of(partition, key);
            // A long value is copied twice, and all connections of an event loop would wait for that.
            byte @Nullable [] inMemory =
                    recent.bytes() <= READ_IN_PLACE_BYTES_MAX ? database.readMemory(storageKey) : null;
            if (inMemory != null) {
                metrics.readFromMemory();
                answer(storageKey, key, sink, inMemory);
                return;
            }
            PendingRead read = new PendingRead(key, storageKey, sink);
            var _ = sink.onDispose(read);
            if (!readers.get(partition % readers.size()).offer(read)) {
                refuse(sink);
            }
        });
    }

    @Override
    public Mono<Void> synced() {
        return syncsCommits
                ? Mono.empty()
                : Mono.create(sink -> {
                    if (!syncer.offer(sink)) {
                        refuse(sink);
                    }
                });
    }

    /** One sync for all that wait. */
    private void bringToDisk(List<MonoSink<Void>> sinks) {
        try {
            database.syncWritten();
        } catch (RocksDBException | RuntimeException | Error e) {
            failingSyncs.saw(e);
            sinks.forEach(sink -> Answering.guarded(() -> sink.error(e)));
            return;
        }
        sinks.forEach(sink -> Answering.guarded(sink::success));
    }

    @Override
    public ChangeLog log() {
        return log;
    }

    @Override
    public CellStore cells() {
        return this;
    }

    @Override
    public HintStore hints() {
        return hints;
    }

    @Override
    public PartitionStore partitions() {
        return partitions;
    }

    @Override
    public StoreChecks checks() {
        return checks;
    }

    @Override
    public PartitionDrops drops() {
        return partitions;
    }

    @Override
    public RegisterStore registers() {
        return registers;
    }

    @Override
    public NoteStore notes() {
        return partitions;
    }

    @Override
    public void whenDamaged(DamageListener listener) {
        damage.become(listener);
        DatabaseKeeper now = keeper;
        if (now != null) {
            now.become(listener::hasOthers);
        }
    }

    @Override
    public long bytes() {
        double files = database.property("rocksdb.total-sst-files-size");
        return (long) (files + database.property("rocksdb.cur-size-all-mem-tables"));
    }

    @Override
    public double fullness() {
        return Math.max((double) writer.waiting() / writer.capacity(), waiting.share());
    }

    private void refuse(MonoSink<?> sink) {
        metrics.refused();
        sink.error(new StoreOverloadedException());
    }

    private void commit(List<Commitment> commitments) {
        List<PendingWrite> writes = new ArrayList<>(commitments.size());
        List<Runnable> removals = new ArrayList<>(0); // There are seldom any.
        for (Commitment commitment : commitments) {
            switch (commitment) {
                case PendingWrite write -> writes.add(write);
                case PendingRemoval removal ->
                    removals.add(() -> remove(removal.sink(), () -> removal.carryOut(database, writeOptions)));
                case PendingDrop drop ->
                    removals.add(() -> remove(drop.sink(), () -> drop.carryOut(database, writeOptions)));
            }
        }
        if (!writes.isEmpty()) {
            write(writes);
        }
        removals.forEach(Runnable::run); // Behind the writes: whatever was queued with it is seen.
    }

    private void remove(MonoSink<Boolean> sink, Callable<Boolean> work) {
        boolean removed;
        try {
            synchronized (overwriting) {
                removed = work.call();
            }
        } catch (Exception | Error e) {
            failingCommits.saw(e);
            Answering.guarded(() -> sink.error(e));
            return;
        }
        if (removed) {
            unsynced = true;
        }
        Answering.guarded(() -> sink.success(removed));
    }

    private void write(List<PendingWrite> writes) {
        try (WriteBatch batch = new WriteBatch()) {
            List<byte[]> often = writtenOften(writes);
            if (often.isEmpty()) {
                merge(batch, writes);
            } else {
                synchronized (overwriting) {
                    folding.fold(batch, often);
                    merge(batch, writes);
                }
            }
        } catch (RocksDBException | RuntimeException | Error e) {
            failingCommits.saw(e);
            Answering.all(writes, write -> write.sink().error(e));
            return;
        } finally {
            waiting.remove(bytesOf(writes));
        }
        failingCommits.sawNone();
        unsynced = true;
        metrics.committed(writes.size());
        Answering.all(writes, write -> write.sink().success());
    }

    private static long bytesOf(List<PendingWrite> writes) {
        long bytes = 0;
        for (PendingWrite write : writes) {
            bytes += write.cell().length;
        }
        return bytes;
    }

    private List<byte[]> writtenOften(List<PendingWrite> writes) {
        List<byte[]> often = List.of(); // As it mostly is.
        for (PendingWrite write : writes) {
            if (folding.isDue(write.key())) {
                often = often.isEmpty() ? new ArrayList<>() : often;
                often.add(write.key());
            }
        }
        return often;
    }

    private void merge(WriteBatch batch, List<PendingWrite> writes) throws RocksDBException {
        for (PendingWrite write : writes) {
            batch.merge(database.cells(), write.key(), write.cell());
            watched.wrote(write.key());
        }
        long before = syncsCommits ? database.written() : 0;
        writeNoted(batch, writeOptions);
        if (syncsCommits) {
            database.synced(before + batch.count()); // Those of other threads come on top of that.
        } else {
            database.requireNotMoved(); // What was found out during the commit counts for its answers.
        }
    }

    private void commitStep(WriteBatch batch, byte @Nullable [] key) throws RocksDBException {
        writeNoted(batch, logOptions);
        if (key != null) {
            watched.wrote(key);
        }
        unsynced = true;
    }

    /** With the newest time: no later life of this node issues a version below a cell that it holds. */
    private void writeNoted(WriteBatch batch, WriteOptions options) throws RocksDBException {
        noteOrder.lock();
        try {
            batch.put(database.notes(), CLOCK, clockNote(newest.getAsLong()));
            database.db().write(options, batch);
        } finally {
            noteOrder.unlock();
        }
    }

    private void serve(PendingRead read) {
        if (read.cancelled) {
            metrics.readSpared();
            return;
        }
        metrics.readFromDisk();
        byte @Nullable [] bytes;
        try {
            bytes = database.read(read.storageKey);
        } catch (RocksDBException | RuntimeException | Error e) {
            failedRead = read.storageKey;
            fail(read.sink, e);
            return;
        }
        failingReads.sawNone();
        answer(read.storageKey, read.key, read.sink, bytes);
    }

    private void answer(byte[] storageKey, Key key, MonoSink<Cell> sink, byte @Nullable [] bytes) {
        recent.note(bytes == null ? 0 : bytes.length);
        @Nullable Cell cell;
        try {
            cell = bytes == null ? null : damage.intact(storageKey, key, bytes);
        } catch (MalformedCellException e) {
            sink.error(e);
            return;
        }
        sink.success(cell);
    }

    private void fail(MonoSink<Cell> sink, Throwable e) {
        failingReads.saw(e);
        sink.error(e);
    }

    private static byte[] clockNote(long hybridTime) {
        return ByteBuffer.allocate(Long.BYTES).putLong(hybridTime).array();
    }

    @Override
    public boolean isFailing() {
        return objection().isPresent()
                || failingCommits.isSo()
                || failingReads.isSo()
                || failingSyncs.isSo()
                || partitions.isFailing()
                || registers.isFailing();
    }

    @Override
    public Optional<String> objection() {
        DatabaseKeeper now = keeper;
        return now == null ? Optional.empty() : now.objection();
    }

    void lookAfter(DataDirectory directory, Host host) {
        this.kept = directory;
        this.keeper = DatabaseKeeper.begin(
                database,
                directory,
                () -> List.of(
                        failingCommits,
                        failingReads,
                        failingSyncs,
                        partitions.failure(),
                        registers.failure(),
                        hints.failure(),
                        checks.failure()),
                this::worksAgain,
                host.end(),
                host.meters());
    }

    /** The database takes writes and syncs again. Whether it can be read is tried with what could not. */
    void worksAgain() {
        try {
            byte @Nullable [] key = failedRead;
            if (failingReads.isSo() && key != null) {
                byte @Nullable [] _ = database.read(key);
            }
            failingReads.sawNone();
        } catch (RocksDBException e) {
            failingReads.saw(e);
        }
        failingCommits.sawNone();
        failingSyncs.sawNone();
        partitions.failure().sawNone();
        hints.failure().sawNone();
        registers.failure().sawNone();
        checks.failure().sawNone();
    }

    /** Waits for no commit that the database does not take: what it took before comes to the disk in time. */
    private void syncIfNeeded() {
        sync(false);
    }

    /** @param always notes the newest time and syncs in any case, and waits until the database takes that */
    private void sync(boolean always) {
        database.use(() -> syncNow(always));
    }

    private void syncNow(boolean always) {
        try {
            if (!always && newest.getAsLong() == noted && !unsynced) {
                return;
            }
            unsynced = false; // Before the sync: what is written meanwhile asks for the next one.
            long time = always ? note() : noteIfPossible();
            database.syncWritten();
            noted = time;
            failingSyncs.sawNone();
        } catch (RocksDBException
                | RuntimeException
                | Error e) { // Whatever it is: a throw would end the syncing for good.
            unsynced = true;
            failingSyncs.saw(e);
        }
    }

    /** Writes the newest time down, and waits until the database takes it. */
    private long note() throws RocksDBException {
        noteOrder.lock();
        try {
            return note(logOptions);
        } finally {
            noteOrder.unlock();
        }
    }

    /** What was noted last, if the database takes nothing now: whoever holds the order waits for it. */
    private long noteIfPossible() throws RocksDBException {
        if (!holdsOrderUnlessStopped()) {
            return noted;
        }
        try {
            return note(promptOptions);
        } catch (RocksDBException e) {
            if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete) {
                return noted;
            }
            throw e;
        } finally {
            noteOrder.unlock();
        }
    }

    private boolean holdsOrderUnlessStopped() {
        try {
            while (!noteOrder.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (database.property("rocksdb.is-write-stopped") == 1) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private long note(WriteOptions options) throws RocksDBException {
        long time = newest.getAsLong();
        database.db().put(database.notes(), options, CLOCK, clockNote(time));
        return time;
    }

    @Override
    public void close() {
        hints.close();
        DatabaseKeeper last = keeper;
        if (last != null) {
            last.close();
        }
        writer.close();
        readers.forEach(BatchWorker::close);
        checks.close();
        partitions.close();
        registers.close();
        log.close();
        syncer.close();
        syncing.close();
        sync(true); // The last note of the clock.
        boolean isWhole = !failingSyncs.isSo() && !failingCommits.isSo();
        database.close();
        DataDirectory whole = kept;
        if (whole != null && isWhole) {
            whole.noteEnded();
        }
        writeOptions.close();
        logOptions.close();
        promptOptions.close();
    }

    private static final class PendingRead implements Disposable {
        final Key key;
        final byte[] storageKey;
        final MonoSink<Cell> sink;
        volatile boolean cancelled;

        PendingRead(Key key, byte[] storageKey, MonoSink<Cell> sink) {
            this.key = key;
            this.storageKey = storageKey;
            this.sink = sink;
        }

        @Override
        public void dispose() {
            cancelled = true;
        }
    }
}
