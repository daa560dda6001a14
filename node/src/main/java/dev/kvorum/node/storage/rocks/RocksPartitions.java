package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.PartitionDrops;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoreChecks.Checked;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import reactor.core.publisher.Mono;

/** Partitions and notes in RocksDB, on a thread of their own. */
final class RocksPartitions implements PartitionStore, PartitionDrops, NoteStore, AutoCloseable {
    private static final int QUEUE_MAX = 64;

    private final RocksDatabase database;
    private final Predicate<Commitment> writer;
    private final WatchedPartitions watched;
    private final MetDamage damage;
    private final Runnable written;
    private final DiskFailure failing = new DiskFailure("A scan");
    private final DiskFailure noting =
            new DiskFailure("A note"); // Scans go on where a disk is full, and would each end its failure.
    private final BatchWorker<Runnable> worker;

    /**
     * @param writer queues for the thread that commits; false if it is full
     * @param watched hears of all writes
     * @param damage hears of damaged cells
     * @param written hears that there is something to be synced
     */
    RocksPartitions(
            RocksDatabase database,
            Predicate<Commitment> writer,
            WatchedPartitions watched,
            MetDamage damage,
            Runnable written) {
        this.database = database;
        this.writer = writer;
        this.watched = watched;
        this.damage = damage;
        this.written = written;
        this.worker = BatchWorker.inBackground(
                "kvorum-store-scan",
                QUEUE_MAX,
                1,
                (List<Runnable> tasks) -> database.use(() -> tasks.forEach(Runnable::run)));
    }

    @Override
    public Mono<Scanned> scan(KeyRange range, ScanLimit limit, CellVisitor visitor) {
        return onThread(
                () -> visit(range, new Page(limit, visitor, damage, false)).end());
    }

    /** As {@link StoreChecks#cells}. */
    Mono<Checked> check(KeyRange range, ScanLimit limit, CellVisitor intact) {
        return onThread(() -> {
            Page page = visit(range, new Page(limit, intact, damage, true));
            return new Checked(page.end(), page.damaged);
        });
    }

    private Page visit(KeyRange range, Page page) throws RocksDBException {
        byte[] begin = range.after() == null
                ? StorageKey.beginOf(range.partition())
                : StorageKey.behind(range.partition(), range.after());
        byte @Nullable [] end = range.upTo() == null
                ? StorageKey.endOf(range.partition())
                : StorageKey.behind(range.partition(), range.upTo());
        database.forEach(begin, end, page::take);
        return page;
    }

    /** One scan as it goes. */
    private static final class Page {
        private final ScanLimit limit;
        private final CellVisitor visitor;
        private final MetDamage damage;
        private final boolean goesOn;
        private @Nullable Key last; // Only where the scan ended before its range did.
        private int cells;
        private int damaged;
        private long bytes;

        /** @param goesOn behind a damaged cell that the partition is not known to lack */
        Page(ScanLimit limit, CellVisitor visitor, MetDamage damage, boolean goesOn) {
            this.limit = limit;
            this.visitor = visitor;
            this.damage = damage;
            this.goesOn = goesOn;
        }

        boolean take(byte[] storageKey, byte[] value) {
            Key key = StorageKey.keyOf(storageKey);
            cells++;
            bytes += storageKey.length + value.length;
            boolean wanted = visit(storageKey, key, value);
            if (wanted && cells < limit.cells() && bytes < limit.bytes()) {
                return true;
            }
            last = key;
            return false;
        }

        private boolean visit(byte[] storageKey, Key key, byte[] value) {
            Cell cell;
            try {
                cell = Cell.decode(value).requireIntact(key);
            } catch (MalformedCellException e) {
                damaged++;
                if (damage.met(storageKey, key, value) || goesOn) {
                    return true; // The partition lacks it, and is known to.
                }
                throw e;
            }
            return visitor.visit(key, cell);
        }

        Scanned end() {
            return new Scanned(last, cells, bytes);
        }
    }

    @Override
    public Mono<PartitionSize> size(int partition) {
        return onThread(() -> database.size(StorageKey.beginOf(partition), StorageKey.endOf(partition)));
    }

    @Override
    public Mono<Boolean> remove(int partition, Key key, Cell cell) {
        return PendingRemoval.by(writer, StorageKey.of(partition, key), cell.bytes());
    }

    @Override
    public Watch watch(int partition) {
        watched.begin(partition);
        return new Watch() {
            @Override
            public Mono<Boolean> drop(Permit permit) {
                return Mono.create(sink -> {
                    if (!writer.test(new PendingDrop(partition, () -> watched.isTouched(partition), permit, sink))) {
                        sink.error(new StoreOverloadedException());
                    }
                });
            }

            @Override
            public void close() {
                watched.end(partition);
            }
        };
    }

    @Override
    public Mono<byte[]> note(String name) {
        return onThread(noting, () -> database.db().get(database.notes(), utf8(name)));
    }

    @Override
    public Mono<Void> note(String name, byte[] note) {
        return this.<Void>onThread(noting, () -> {
                    database.db().put(database.notes(), utf8(name), note);
                    return null;
                })
                .doOnSuccess(done -> written.run());
    }

    private static byte[] utf8(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether the last of its reads failed. Any thread. */
    boolean isFailing() {
        return failing.isSo();
    }

    DiskFailure failure() {
        return failing;
    }

    private <T> Mono<T> onThread(Callable<@Nullable T> work) {
        return onThread(failing, work);
    }

    private <T> Mono<T> onThread(DiskFailure failure, Callable<@Nullable T> work) {
        return Answering.by(worker::offer, () -> watching(failure, work));
    }

    private static <T> @Nullable T watching(DiskFailure failure, Callable<@Nullable T> work) throws Exception {
        @Nullable T done;
        try {
            done = work.call();
        } catch (MalformedCellException e) {
            throw e; // One cell is damaged, which was said: the disk serves the others.
        } catch (Exception | Error e) {
            failure.saw(e);
            throw e;
        }
        failure.sawNone();
        return done;
    }

    /** Finishes what was accepted. Blocks. */
    @Override
    public void close() {
        worker.close();
    }
}
