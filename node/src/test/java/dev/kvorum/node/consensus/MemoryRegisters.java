package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.RegisterState;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoredRegister;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Registers in memory, and the cells beside them. */
public final class MemoryRegisters implements RegisterStore {
    final NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    final NavigableMap<byte[], Cell> cells = new TreeMap<>(Arrays::compareUnsigned);
    Runnable beforeLook = () -> {}; // Of the next one.
    int steps; // Looks included.
    int cellsWritten; // By steps, also those that are there already.

    @Nullable
    RuntimeException failure; // Of every operation, while there is one.

    @Override
    public <T> Mono<T> step(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule) {
        return failing(() -> stepNow(StorageKey.of(partition, key), rule));
    }

    @Override
    public <T> Mono<T> look(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule) {
        return Mono.defer(() -> {
            Runnable first = beforeLook;
            beforeLook = () -> {};
            first.run();
            return step(partition, key, rule);
        });
    }

    private synchronized <T> T stepNow(byte[] at, Function<RegisterState, RegisterStep<T>> rule) {
        steps++;
        RegisterStep<T> step = rule.apply(new RegisterState(rows.get(at), cells.get(at)));
        byte[] row = step.row();
        if (step.removesRow()) {
            rows.remove(at);
        } else if (row != null) {
            rows.put(at, row);
        }
        Cell cell = step.cell();
        if (cell != null) {
            cellsWritten++;
            put(at, cell);
        }
        return step.answer();
    }

    /** As a plain write does. */
    synchronized void write(int partition, Key key, Cell cell) {
        put(StorageKey.of(partition, key), cell);
    }

    private void put(byte[] at, Cell cell) {
        Cell newest = Cell.newest(cells.get(at), cell);
        if (newest != null) {
            cells.put(at, newest);
        }
    }

    /** The newest cell; null if there is none. */
    synchronized @Nullable Cell cell(int partition, Key key) {
        return cells.get(StorageKey.of(partition, key));
    }

    /** The row; null if there is none. */
    synchronized @Nullable Acceptance row(int partition, Key key) {
        byte[] row = rows.get(StorageKey.of(partition, key));
        return row == null ? null : Acceptance.decode(row);
    }

    synchronized void put(int partition, Key key, Acceptance row) {
        rows.put(StorageKey.of(partition, key), row.encode());
    }

    synchronized void removeCell(int partition, Key key) {
        cells.remove(StorageKey.of(partition, key));
    }

    @Override
    public Mono<List<StoredRegister>> page(int partition, @Nullable Key after, int max) {
        return failing(() -> pageNow(partition, after, max));
    }

    private <T> Mono<T> failing(Supplier<T> work) {
        return Mono.defer(() -> failure == null ? Mono.fromSupplier(work) : Mono.error(failure));
    }

    private synchronized List<StoredRegister> pageNow(int partition, @Nullable Key after, int max) {
        byte[] begin = after == null
                ? new byte[] {(byte) (partition >>> 8), (byte) partition}
                : StorageKey.of(partition, after);
        return rows.tailMap(begin, false).entrySet().stream()
                .limit(max)
                .map(row -> stored(row.getKey(), row.getValue()))
                .toList();
    }

    private static StoredRegister stored(byte[] at, byte[] row) {
        int partition = Byte.toUnsignedInt(at[0]) << 8 | Byte.toUnsignedInt(at[1]);
        return new StoredRegister(partition, Key.ofUtf8(Arrays.copyOfRange(at, 2, at.length)), row);
    }
}
