package dev.kvorum.simulation.disk;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.simulation.world.ProcessLife;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The cells of one process by partition, and its notes: one thing after the other, apart from what clients ask for. */
final class SimulatedPartitions implements PartitionStore, NoteStore {
    private static final int QUEUE_MAX = 64;
    private static final int PAGE_MAX = 256; // Of a few hundred keys: so that scans take several pages now and then.

    private final ProcessLife life;
    private final SimulatedDisk disk;
    private final Removing writer;
    private final Meeting damage;
    private final Runnable written;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean busy;

    /** The one that commits. */
    @FunctionalInterface
    interface Removing {
        Mono<Boolean> remove(byte[] storageKey, byte[] expected);
    }

    /** Hears of what is no cell; whether it may be passed over. */
    interface Meeting {
        boolean met(byte[] storageKey, byte[] bytes);
    }

    /** @param written hears that there is something to be synced */
    SimulatedPartitions(ProcessLife life, SimulatedDisk disk, Removing writer, Meeting damage, Runnable written) {
        this.life = life;
        this.disk = disk;
        this.writer = writer;
        this.damage = damage;
        this.written = written;
    }

    @Override
    public Mono<Scanned> scan(KeyRange range, ScanLimit limit, CellVisitor visitor) {
        return later(() -> disk.failsRead() ? null : scanNow(range, limit, visitor));
    }

    private Scanned scanNow(KeyRange range, ScanLimit limit, CellVisitor visitor) {
        int cellsMax = Math.min(limit.cells(), disk.someOf(PAGE_MAX));
        int cells = 0;
        long bytes = 0;
        for (Map.Entry<byte[], byte[]> entry : held(range).entrySet()) {
            Key key = StorageKey.keyOf(entry.getKey());
            cells++;
            bytes += entry.getKey().length + entry.getValue().length;
            boolean wanted = visit(entry.getKey(), key, entry.getValue(), visitor);
            if (!wanted || cells >= cellsMax || bytes >= limit.bytes()) {
                return new Scanned(key, cells, bytes);
            }
        }
        return new Scanned(null, cells, bytes);
    }

    private boolean visit(byte[] storageKey, Key key, byte[] bytes, CellVisitor visitor) {
        Cell cell;
        try {
            cell = Cell.decode(bytes).requireIntact(key);
        } catch (MalformedCellException e) {
            if (damage.met(storageKey, bytes)) {
                return true;
            }
            throw e;
        }
        return visitor.visit(key, cell);
    }

    private NavigableMap<byte[], byte[]> held(KeyRange range) {
        byte[] begin = range.after() == null
                ? StorageKey.beginOf(range.partition())
                : StorageKey.behind(range.partition(), range.after());
        byte @Nullable [] end = range.upTo() == null
                ? StorageKey.endOf(range.partition())
                : StorageKey.behind(range.partition(), range.upTo());
        NavigableMap<byte[], byte[]> cells = disk.held(SimulatedStore.CELLS).tailMap(begin, true);
        return end == null ? cells : cells.headMap(end, false);
    }

    /** As the disk has them. */
    List<byte[]> keysOf(int partition) {
        return List.copyOf(held(KeyRange.of(partition)).keySet());
    }

    @Override
    public Mono<PartitionSize> size(int partition) {
        return later(() -> {
            NavigableMap<byte[], byte[]> cells = held(KeyRange.of(partition));
            long bytes =
                    cells.values().stream().mapToLong(value -> value.length).sum();
            return new PartitionSize(bytes, cells.size());
        });
    }

    @Override
    public Mono<Boolean> remove(int partition, Key key, Cell cell) {
        return writer.remove(StorageKey.of(partition, key), cell.bytes());
    }

    /** At once: they are read while a process begins. */
    @Override
    public Mono<byte[]> note(String name) {
        return Mono.fromSupplier(
                () -> disk.read(SimulatedStore.NOTES, utf8(name)).orElse(null));
    }

    @Override
    public Mono<Void> note(String name, byte[] note) {
        return later(() -> {
                    boolean done = disk.append(List.of(Change.put(SimulatedStore.NOTES, utf8(name), note)));
                    written.run();
                    return done ? note : null;
                })
                .then();
    }

    private static byte[] utf8(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** @param work null where the disk fails */
    private <T> Mono<T> later(Supplier<@Nullable T> work) {
        return Mono.create(sink -> {
            if (tasks.size() >= QUEUE_MAX) {
                sink.error(new StoreOverloadedException());
                return;
            }
            tasks.add(() -> carryOut(work, sink));
            carryOutNext();
        });
    }

    private static <T> void carryOut(Supplier<@Nullable T> work, MonoSink<T> sink) {
        T result;
        try {
            result = work.get();
        } catch (MalformedCellException e) {
            sink.error(e);
            return;
        }
        if (result == null) {
            sink.error(new IllegalStateException("the disk failed"));
        } else {
            sink.success(result);
        }
    }

    private void carryOutNext() {
        Runnable next = busy ? null : tasks.poll();
        if (next == null) {
            return;
        }
        busy = true;
        var _ = life.after(disk.readNanos(), () -> {
            next.run();
            busy = false;
            carryOutNext();
        });
    }
}
