package dev.kvorum.simulation.disk;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.RegisterState;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.storage.StoredRegister;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.ProcessLife;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * The registers of one process, as the store in RocksDB keeps them: one step at a time, several together brought to the disk, and none answered before.
 */
public final class SimulatedRegisters implements RegisterStore {
    private static final String REGISTERS = "registers";
    private static final int BATCH_MAX = 256;

    private final ProcessLife life;
    private final SimulatedDisk disk;
    private final int queueMax;
    private final Bugs bugs;
    private List<Step<?>> waiting = new ArrayList<>();
    private boolean working;

    public SimulatedRegisters(ProcessLife life, SimulatedDisk disk, int queueMax, Bugs bugs) {
        this.life = life;
        this.disk = disk;
        this.queueMax = queueMax;
        this.bugs = bugs;
    }

    @Override
    public <T> Mono<T> step(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule) {
        return Mono.create(sink -> {
            if (waiting.size() >= queueMax) {
                sink.error(new StoreOverloadedException());
                return;
            }
            waiting.add(new Step<>(StorageKey.of(partition, key), rule, sink));
            workNext();
        });
    }

    /** No sooner than a step: who promises nothing can wait as well. */
    @Override
    public <T> Mono<T> look(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule) {
        return step(partition, key, rule);
    }

    private void workNext() {
        if (working || waiting.isEmpty()) {
            return;
        }
        working = true;
        List<Step<?>> batch = waiting.subList(0, Math.min(BATCH_MAX, waiting.size()));
        waiting = new ArrayList<>(waiting.subList(batch.size(), waiting.size()));
        // Between the two it is done but not on the disk, and nobody has been answered.
        var _ = life.after(disk.commitNanos(), () -> {
            batch.forEach(Step::carryOut);
            long end = disk.end();
            var _ = life.after(disk.syncNanos(), () -> {
                disk.sync(end);
                batch.forEach(Step::answer);
                working = false;
                workNext();
            });
        });
    }

    @Override
    public Mono<List<StoredRegister>> page(int partition, @Nullable Key after, int max) {
        return Mono.fromSupplier(() -> {
            byte[] begin = after == null ? StorageKey.beginOf(partition) : StorageKey.of(partition, after);
            List<StoredRegister> rows = new ArrayList<>();
            for (Map.Entry<byte[], byte[]> row :
                    disk.held(REGISTERS).tailMap(begin, false).entrySet()) {
                if (rows.size() == max) {
                    break;
                }
                rows.add(stored(row.getKey(), row.getValue()));
            }
            return List.copyOf(rows);
        });
    }

    private static StoredRegister stored(byte[] storageKey, byte[] row) {
        return new StoredRegister(StorageKey.partitionOf(storageKey), StorageKey.keyOf(storageKey), row);
    }

    /** Whether nothing waits. */
    public boolean isQuiet() {
        return !working && waiting.isEmpty();
    }

    private final class Step<T> {
        private final byte[] key;
        private final Function<RegisterState, RegisterStep<T>> rule;
        private final MonoSink<T> sink;
        private @Nullable T answer;
        private @Nullable Throwable failure;

        Step(byte[] key, Function<RegisterState, RegisterStep<T>> rule, MonoSink<T> sink) {
            this.key = key;
            this.rule = rule;
            this.sink = sink;
        }

        void carryOut() {
            if (disk.failsRead()) {
                failure = new IllegalStateException("the read failed");
                return;
            }
            try {
                Cell cell =
                        disk.read(SimulatedStore.CELLS, key).map(Cell::decode).orElse(null);
                RegisterStep<T> step =
                        rule.apply(new RegisterState(disk.read(REGISTERS, key).orElse(null), cell));
                List<Change> changes = changes(step);
                if (!changes.isEmpty() && !disk.append(changes)) {
                    failure = new IllegalStateException("the commit failed");
                }
                answer = step.answer();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }

        private List<Change> changes(RegisterStep<T> step) {
            List<Change> changes = new ArrayList<>(2);
            byte[] row = step.row();
            if (row != null) {
                changes.add(step.removesRow() ? Change.delete(REGISTERS, key) : Change.put(REGISTERS, key, row));
            }
            Cell cell = step.cell();
            if (cell != null) {
                changes.add(Change.merge(SimulatedStore.CELLS, key, cell.bytes()));
            }
            return changes;
        }

        void answer() {
            try {
                if (failure == null) {
                    sink.success(answer);
                } else {
                    sink.error(failure);
                }
            } catch (RuntimeException | Error e) {
                bugs.add("Who asked the registers failed on being answered", e);
            }
        }
    }
}
