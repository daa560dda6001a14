package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.ChangeLog;
import dev.kvorum.node.storage.ChangePage;
import dev.kvorum.node.storage.ChangesGoneException;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.util.ArrayDeque;
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
    private static final long LOOKED_BYTES_MAX = 8 << 20; // For one page, whoever its cells belong to.
    private static final int HEAD_BYTES = 12; // Of a record in the log.

    private final RocksDatabase database;
    private final BatchWorker<Task> worker;
    private @Nullable Reader reader; // Of the worker's thread, and after its end of the one that closes.

    private static final class Task {
        final long after;
        final long upTo;
        final ChangeFilter filter;
        final int bytes;
        final MonoSink<ChangePage> sink;
        volatile boolean cancelled;

        Task(long after, long upTo, ChangeFilter filter, int bytes, MonoSink<ChangePage> sink) {
            this.after = after;
            this.upTo = upTo;
            this.filter = filter;
            this.bytes = bytes;
            this.sink = sink;
        }
    }

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
            Task task = new Task(after, upTo, filter, bytes, sink);
            var _ = sink.onDispose(() -> task.cancelled = true);
            if (!worker.offer(task)) {
                sink.error(new StoreOverloadedException());
            }
        });
    }

    private void serve(Task task) {
        if (task.cancelled) {
            return;
        }
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

    /** It ends before the cell that does not fit, unless that is its first. */
    private ChangePage page(Task task) throws RocksDBException {
        List<ChangePage.Changed> cells = new ArrayList<>();
        long end = task.after;
        long bytes = 0;
        long looked = 0;
        Reader from = task.after < task.upTo ? readerBehind(task.after) : null;
        while (from != null && end < task.upTo && looked < LOOKED_BYTES_MAX) {
            Logged next = from.peek();
            if (next.number > task.upTo) {
                end = task.upTo;
                break;
            }
            ChangePage.Changed changed = next.cell(task.filter);
            if (changed != null) {
                bytes += changed.bytes();
                if (!cells.isEmpty() && bytes > task.bytes) {
                    break;
                }
                cells.add(changed);
            }
            looked += next.bytes();
            end = next.number;
            from.pass(end);
        }
        if (end >= task.upTo) {
            drop();
        }
        return new ChangePage(cells, end);
    }

    private Reader readerBehind(long after) throws RocksDBException {
        Reader kept = reader;
        if (kept == null || !kept.database.equals(database.db()) || kept.end != after) {
            drop();
            kept = new Reader(database.db(), database.cells().getID(), after);
            reader = kept;
        }
        return kept;
    }

    private void drop() {
        Reader last = reader;
        reader = null;
        if (last != null) {
            last.close();
        }
    }

    /** A change that was read; without a key where it is no cell. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Logged(long number, byte @Nullable [] key, byte @Nullable [] value) {
        long bytes() {
            return (long) HEAD_BYTES + (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
        }

        /** Null where it is not wanted. */
        ChangePage.@Nullable Changed cell(ChangeFilter filter) {
            if (key == null || value == null) {
                return null;
            }
            int partition = StorageKey.partitionOf(key);
            Cell cell = Cell.decode(value);
            if (!filter.wants(partition, cell)) {
                return null;
            }
            Key of = StorageKey.keyOf(key);
            return new ChangePage.Changed(partition, of, cell.requireIntact(of));
        }
    }

    /** A place in the log. It holds the rest of the batch that was read last. */
    private static final class Reader {
        final RocksDB database;
        private final int family;
        private final TransactionLogIterator iterator;
        private final ArrayDeque<Logged> rest = new ArrayDeque<>();
        private long read;
        long end;

        Reader(RocksDB database, int family, long after) throws RocksDBException {
            this.database = database;
            this.family = family;
            this.end = after;
            this.read = after;
            this.iterator = database.getUpdatesSince(after + 1);
        }

        Logged peek() throws RocksDBException {
            while (rest.isEmpty()) {
                readBatch();
            }
            return rest.getFirst();
        }

        void pass(long number) {
            rest.removeFirst();
            end = number;
        }

        private void readBatch() throws RocksDBException {
            if (!iterator.isValid()) {
                iterator.status();
                throw new ChangesGoneException("the log ends behind change " + read);
            }
            TransactionLogIterator.BatchResult found = iterator.getBatch();
            try (WriteBatch batch = found.writeBatch();
                    Batch changes = new Batch(family, found.sequenceNumber())) {
                if (changes.next > read + 1) {
                    throw new ChangesGoneException(
                            "the log goes on with change " + changes.next + " where " + (read + 1) + " was looked for");
                }
                long last = changes.next + batch.count() - 1;
                batch.iterate(changes);
                if (changes.next != last + 1) {
                    throw new ChangesGoneException("of the changes up to " + last + " not all could be read");
                }
                changes.cells.stream().filter(logged -> logged.number > end).forEach(rest::add);
                rest.add(new Logged(last, null, null));
                read = last;
            }
            iterator.next();
        }

        void close() {
            iterator.close();
        }
    }

    /** Each change takes one number. */
    private static final class Batch extends WriteBatch.Handler {
        final List<Logged> cells = new ArrayList<>();
        private final int family;
        long next;

        Batch(int family, long first) {
            this.family = family;
            this.next = first;
        }

        private void pass() {
            next++;
        }

        private void stored(int at, byte[] key, byte[] cell) {
            if (at == family) {
                cells.add(new Logged(next, key, cell));
            }
            pass();
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
