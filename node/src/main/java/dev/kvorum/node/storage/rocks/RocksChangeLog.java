package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.storage.ChangeLog;
import dev.kvorum.node.storage.ChangePage;
import dev.kvorum.node.storage.ChangesGoneException;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WriteBatch;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * The changes in RocksDB's log. Finding a change means reading its file of the log from the beginning, so a reader stays open for the next page. Until it is closed, its
 * file stays on the disk: at the end of a walk, or when another one begins.
 */
final class RocksChangeLog implements ChangeLog, AutoCloseable {
    private static final int QUEUE_MAX = 64; // Each member asks for one page at a time.

    private final RocksDatabase database;
    private final BatchWorker<Task> worker;
    private @Nullable Reader reader; // Of the worker's thread, and after its end of the one that closes.

    private record Task(long after, long upTo, ChangeFilter filter, int bytes, MonoSink<ChangePage> sink) {}

    RocksChangeLog(RocksDatabase database) {
        this.database = database;
        this.worker = BatchWorker.inBackground(
                "kvorum-store-log", QUEUE_MAX, 1, (List<Task> tasks) -> database.use(() -> tasks.forEach(this::serve)));
    }

    @Override
    public long last() {
        return database.writtenNow();
    }

    @Override
    public Mono<ChangePage> after(long after, long upTo, ChangeFilter filter, int bytes) {
        return Mono.create(sink -> {
            if (!worker.offer(new Task(after, upTo, filter, bytes, sink))) {
                sink.error(new StoreOverloadedException());
            }
        });
    }

    private void serve(Task task) {
        ChangePage page;
        try {
            page = page(task);
        } catch (RocksDBException e) {
            drop();
            task.sink.error(new ChangesGoneException("the log can't be read: " + e.getMessage()));
            return;
        } catch (RuntimeException e) {
            drop();
            task.sink.error(e);
            return;
        }
        task.sink.success(page);
    }

    private ChangePage page(Task task) throws RocksDBException {
        if (task.after >= task.upTo) {
            return new ChangePage(List.of(), task.upTo);
        }
        Reader from = readerBehind(task.after);
        try (Gathering page = new Gathering(task, database.cells().getID())) {
            while (page.end < task.upTo && !page.isFull()) {
                from.take(page);
            }
            // A page that ends within a batch leaves the rest of it to another reader.
            if (from.end != page.end || page.end >= task.upTo) {
                drop();
            }
            return new ChangePage(page.cells, page.end);
        }
    }

    private Reader readerBehind(long after) throws RocksDBException {
        Reader kept = reader;
        if (kept == null || !kept.database.equals(database.db()) || kept.end != after) {
            drop();
            kept = new Reader(database.db(), after);
            reader = kept;
        }
        return kept;
    }

    private void drop() {
        Reader last = reader;
        reader = null;
        if (last != null) {
            last.iterator.close();
        }
    }

    /** A place in the log. */
    private static final class Reader {
        final RocksDB database;
        final TransactionLogIterator iterator;
        long end;

        Reader(RocksDB database, long after) throws RocksDBException {
            this.database = database;
            this.end = after;
            this.iterator = database.getUpdatesSince(after + 1);
        }

        void take(Gathering page) throws RocksDBException {
            if (!iterator.isValid()) {
                iterator.status();
                throw new ChangesGoneException("the log ends behind change " + end);
            }
            TransactionLogIterator.BatchResult found = iterator.getBatch();
            try (WriteBatch batch = found.writeBatch()) {
                long first = found.sequenceNumber();
                if (first > end + 1) {
                    throw new ChangesGoneException(
                            "the log goes on with change " + first + " where " + (end + 1) + " was looked for");
                }
                page.next = first;
                batch.iterate(page);
                page.requireReadable();
                end = first + batch.count() - 1;
            }
            iterator.next();
        }
    }

    /** Each change takes one number. */
    private static final class Gathering extends WriteBatch.Handler {
        final List<ChangePage.Changed> cells = new ArrayList<>();
        private final Task task;
        private final int family;
        private @Nullable MalformedCellException unreadable; // Thrown in a callback it would be lost.
        private long bytes;
        long next;
        long end;

        Gathering(Task task, int family) {
            this.task = task;
            this.family = family;
            this.end = task.after;
        }

        boolean isFull() {
            return bytes >= task.bytes;
        }

        private void pass() {
            if (next > end && !isFull()) {
                end = Math.min(next, task.upTo);
            }
            next++;
        }

        private void stored(int at, byte[] key, byte[] cell) {
            boolean isWanted = at == family && next > end && next <= task.upTo && !isFull();
            pass();
            if (isWanted) {
                try {
                    offer(StorageKey.partitionOf(key), StorageKey.keyOf(key), Cell.decode(cell));
                } catch (MalformedCellException e) {
                    unreadable = e;
                }
            }
        }

        private void offer(int partition, Key key, Cell cell) {
            if (task.filter.wants(partition, cell)) {
                cells.add(new ChangePage.Changed(partition, key, cell.requireIntact(key)));
                bytes += key.utf8().length + cell.bytes().length;
            }
        }

        void requireReadable() {
            if (unreadable != null) {
                throw unreadable;
            }
        }

        @Override
        public void merge(int at, byte[] key, byte[] value) {
            stored(at, key, value);
        }

        @Override
        public void merge(byte[] key, byte[] value) {
            stored(0, key, value);
        }

        @Override
        public void put(int at, byte[] key, byte[] value) {
            stored(at, key, value);
        }

        @Override
        public void put(byte[] key, byte[] value) {
            stored(0, key, value);
        }

        @Override
        public void delete(int at, byte[] key) {
            pass();
        }

        @Override
        public void delete(byte[] key) {
            pass();
        }

        @Override
        public void singleDelete(int at, byte[] key) {
            pass();
        }

        @Override
        public void singleDelete(byte[] key) {
            pass();
        }

        @Override
        public void deleteRange(int at, byte[] begin, byte[] end) {
            pass();
        }

        @Override
        public void deleteRange(byte[] begin, byte[] end) {
            pass();
        }

        @Override
        public void putBlobIndex(int at, byte[] key, byte[] value) {
            pass();
        }

        @Override
        public void logData(byte[] blob) {}

        @Override
        public void markBeginPrepare() {}

        @Override
        public void markEndPrepare(byte[] xid) {}

        @Override
        public void markNoop(boolean emptyBatch) {}

        @Override
        public void markRollback(byte[] xid) {}

        @Override
        public void markCommit(byte[] xid) {}

        @Override
        public void markCommitWithTimestamp(byte[] xid, byte[] timestamp) {}
    }

    /** Finishes what was accepted. Blocks. */
    @Override
    public void close() {
        worker.close();
        drop();
    }
}
