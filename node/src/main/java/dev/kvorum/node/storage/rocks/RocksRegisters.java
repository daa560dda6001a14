package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.storage.RegisterState;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.storage.StoredRegister;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Registers in RocksDB, on a thread of their own: all steps that wait are carried out one after the other, and brought to the disk together. */
final class RocksRegisters implements RegisterStore, AutoCloseable {
    private static final int BATCH_MAX = 256;

    /** What the answers of those that share a sync hold at most, but for the last, in bytes. */
    private static final long HELD_MAX = 4 << 20;

    private final RocksDatabase database;
    private final Commit commit;
    private final Object overwriting;
    private final MetDamage damage;
    private final boolean cellsAreSynced;
    private final DiskFailure failing = new DiskFailure("A step of a register");
    private final BatchWorker<Task> worker;
    private long synced; // Up to which of RocksDB's sequence numbers; of the worker's thread,
    private boolean hasChanged; // and so is this: whether a step has changed something since.

    /** Writes a batch into the log, not to the disk yet. */
    @FunctionalInterface
    interface Commit {
        /** @param cell the storage key of the cell in it; null if there is none */
        void write(WriteBatch batch, byte @Nullable [] cell) throws RocksDBException;
    }

    /** What waits for the thread. */
    private interface Task {
        /** Looks and changes. */
        void carryOut() throws RocksDBException;

        /** Whether its answer must wait for what was looked at and changed to be on the disk. */
        boolean binds();

        /** How many bytes its answer may hold. */
        long bytes();

        /** It is, if it must be. */
        void answer();

        void fail(Throwable e);
    }

    /**
     * @param overwriting held by whoever looks at a cell and removes or replaces it: a commit in between would be lost with it
     * @param damage hears of damaged cells
     * @param cellsAreSynced whether every cell that can be read is on the disk
     */
    RocksRegisters(
            RocksDatabase database,
            Commit commit,
            Object overwriting,
            MetDamage damage,
            boolean cellsAreSynced,
            int queueMax) {
        this.database = database;
        this.commit = commit;
        this.overwriting = overwriting;
        this.damage = damage;
        this.cellsAreSynced = cellsAreSynced;
        this.worker = BatchWorker.ofRequests(
                "kvorum-registers", queueMax, BATCH_MAX, tasks -> database.use(() -> work(tasks)));
    }

    @Override
    public <T> Mono<T> step(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule) {
        return Mono.create(sink -> offer(new Step<>(StorageKey.of(partition, key), rule, true, sink), sink));
    }

    @Override
    public <T> Mono<T> look(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule) {
        return Mono.create(sink -> offer(new Step<>(StorageKey.of(partition, key), rule, false, sink), sink));
    }

    @Override
    public Mono<List<StoredRegister>> page(int partition, @Nullable Key after, int max) {
        byte[] begin = after == null ? StorageKey.beginOf(partition) : StorageKey.behind(partition, after);
        return Mono.create(sink -> offer(new Walk(begin, max, sink), sink));
    }

    private void offer(Task task, MonoSink<?> sink) {
        if (!worker.offer(task)) {
            sink.error(new StoreOverloadedException());
        }
    }

    private void work(List<Task> tasks) {
        List<Task> done = new ArrayList<>(tasks.size());
        long held = 0;
        for (Task task : tasks) {
            try {
                task.carryOut();
                done.add(task);
                held += task.bytes();
            } catch (MalformedCellException e) {
                Answering.guarded(
                        () -> task.fail(e)); // One cell is damaged, which was said: the disk serves the others.
            } catch (RocksDBException | RuntimeException | Error e) {
                failing.saw(e);
                Answering.guarded(() -> task.fail(e));
            }
            if (held > HELD_MAX) {
                answer(done);
                done.clear();
                held = 0;
            }
        }
        answer(done);
    }

    private void answer(List<Task> done) {
        try {
            if (done.stream().anyMatch(Task::binds)) {
                bringToDisk();
            }
        } catch (RocksDBException | RuntimeException | Error e) {
            failing.saw(e);
            done.forEach(task -> Answering.guarded(() -> task.fail(e)));
            return;
        }
        if (!done.isEmpty()) {
            failing.sawNone();
        }
        done.forEach(task -> Answering.guarded(task::answer));
    }

    /** All that could be read when this was called. */
    private void bringToDisk() throws RocksDBException {
        long latest = database.db().getLatestSequenceNumber();
        if (hasChanged || (!cellsAreSynced && latest > synced)) {
            database.sync();
            synced = latest + 1; // The sync's own, or one that was written before it.
            hasChanged = false;
        }
    }

    /** Whether the last of its steps failed. Any thread. */
    boolean isFailing() {
        return failing.isSo();
    }

    DiskFailure failure() {
        return failing;
    }

    /** Finishes what was accepted. Blocks. */
    @Override
    public void close() {
        worker.close();
    }

    private final class Step<T> implements Task {
        private final byte[] key;
        private final Function<RegisterState, RegisterStep<T>> rule;
        private final boolean binds;
        private final MonoSink<T> sink;
        private @Nullable T answer;
        private long bytes;

        Step(byte[] key, Function<RegisterState, RegisterStep<T>> rule, boolean binds, MonoSink<T> sink) {
            this.key = key;
            this.rule = rule;
            this.binds = binds;
            this.sink = sink;
        }

        @Override
        public void carryOut() throws RocksDBException {
            synchronized (overwriting) {
                byte @Nullable [] cell = database.read(key);
                byte @Nullable [] row = database.db().get(database.registers(), key);
                bytes = lengthOf(cell) + lengthOf(row);
                RegisterStep<T> step = rule.apply(
                        new RegisterState(row, cell == null ? null : damage.intact(key, StorageKey.keyOf(key), cell)));
                if (step.isChange()) {
                    write(step);
                }
                answer = step.answer();
            }
        }

        private static long lengthOf(byte @Nullable [] read) {
            return read == null ? 0 : read.length;
        }

        private void write(RegisterStep<T> step) throws RocksDBException {
            byte[] row = step.row();
            Cell cell = step.cell();
            try (WriteBatch batch = new WriteBatch()) {
                if (step.removesRow()) {
                    batch.delete(database.registers(), key);
                } else if (row != null) {
                    batch.put(database.registers(), key, row);
                }
                if (cell != null) {
                    batch.merge(database.cells(), key, cell.bytes());
                }
                hasChanged = true; // Before: it may be in the log though it failed.
                commit.write(batch, cell == null ? null : key);
            }
        }

        @Override
        public boolean binds() {
            return binds;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public void answer() {
            sink.success(answer);
        }

        @Override
        public void fail(Throwable e) {
            sink.error(e);
        }
    }

    private final class Walk implements Task {
        private final byte[] begin;
        private final int max;
        private final MonoSink<List<StoredRegister>> sink;
        private final List<StoredRegister> rows = new ArrayList<>();

        Walk(byte[] begin, int max, MonoSink<List<StoredRegister>> sink) {
            this.begin = begin;
            this.max = max;
            this.sink = sink;
        }

        @Override
        public void carryOut() throws RocksDBException {
            database.forEach(database.registers(), begin, null, (key, row) -> {
                rows.add(new StoredRegister(StorageKey.partitionOf(key), StorageKey.keyOf(key), row));
                return rows.size() < max;
            });
        }

        @Override
        public boolean binds() {
            return false;
        }

        @Override
        public long bytes() {
            return rows.stream().mapToLong(row -> row.row().length).sum();
        }

        @Override
        public void answer() {
            sink.success(List.copyOf(rows));
        }

        @Override
        public void fail(Throwable e) {
            sink.error(e);
        }
    }
}
