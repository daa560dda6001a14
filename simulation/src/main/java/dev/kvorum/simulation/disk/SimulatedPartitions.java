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
import dev.kvorum.node.storage.StoreChecks;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.simulation.world.ProcessLife;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The cells of one process by partition, and its notes: one thing after the other, apart from what clients ask for. */
final class SimulatedPartitions implements PartitionStore, NoteStore, StoreChecks {
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
        return later(() -> disk.failsRead()
                ? null
                : scanNow(range, limit, (storageKey, key, bytes) -> {
                    MalformedCellException damaged = damage(key, bytes);
                    if (damaged == null) {
                        return visitor.visit(key, Cell.decode(bytes));
                    }
                    if (damage.met(storageKey, bytes)) {
                        return true;
                    }
                    throw damaged;
                }));
    }

    @Override
    public Mono<Checked> cells(KeyRange range, ScanLimit limit, CellVisitor intact) {
        return later(() -> disk.failsRead() ? null : checkNow(range, limit, intact));
    }

    private Checked checkNow(KeyRange range, ScanLimit limit, CellVisitor intact) {
        AtomicInteger damaged = new AtomicInteger();
        Scanned scanned = scanNow(range, limit, (storageKey, key, bytes) -> {
            if (damage(key, bytes) == null) {
                return intact.visit(key, Cell.decode(bytes));
            }
            damaged.incrementAndGet();
            boolean _ = damage.met(storageKey, bytes);
            return true;
        });
        return new Checked(scanned, damaged.get());
    }

    /** Why those bytes are no cell of that key; null if they are. */
    private static @Nullable MalformedCellException damage(Key key, byte[] bytes) {
        try {
            Cell _ = Cell.decode(bytes).requireIntact(key);
            return null;
        } catch (MalformedCellException e) {
            return e;
        }
    }

    /** What is on this disk has no blocks: all of it are cells, and rows with a checksum. */
    @Override
    public Mono<List<StoredFile>> files() {
        return Mono.just(List.of());
    }

    @Override
    public Mono<Boolean> isIntact(StoredFile file) {
        throw new IllegalArgumentException("there is no file " + file);
    }

    /** Sees what is stored under a key; false ends the scan. */
    private interface StoredVisitor {
        boolean visit(byte[] storageKey, Key key, byte[] bytes);
    }

    private Scanned scanNow(KeyRange range, ScanLimit limit, StoredVisitor visitor) {
        int cellsMax = Math.min(limit.cells(), disk.someOf(PAGE_MAX));
        int cells = 0;
        long bytes = 0;
        for (Map.Entry<byte[], byte[]> entry : held(range).entrySet()) {
            Key key = StorageKey.keyOf(entry.getKey());
            cells++;
            bytes += entry.getKey().length + entry.getValue().length;
            boolean wanted = visitor.visit(entry.getKey(), key, entry.getValue());
            if (!wanted || cells >= cellsMax || bytes >= limit.bytes()) {
                return new Scanned(key, cells, bytes);
            }
        }
        return new Scanned(null, cells, bytes);
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
