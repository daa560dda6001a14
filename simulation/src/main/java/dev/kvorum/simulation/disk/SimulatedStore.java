package dev.kvorum.simulation.disk;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.CellStore;
import dev.kvorum.node.storage.ChangeLog;
import dev.kvorum.node.storage.DamageListener;
import dev.kvorum.node.storage.HintStore;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.PartitionDrops;
import dev.kvorum.node.storage.PartitionDrops.Permit;
import dev.kvorum.node.storage.PartitionDrops.Watch;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.Store;
import dev.kvorum.node.storage.StoreChecks;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.ProcessLife;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * The cells of one process. It keeps to the order of events of the store in RocksDB: one commit at a time, of all that waits; the clock's note
 * within each; the log brought to the disk at every interval, or with every commit; reads from memory at once, others later.
 */
public final class SimulatedStore implements Store, CellStore {
    /** The family of the cells on the disk. */
    public static final String CELLS = "cells";

    static final String NOTES = "notes";
    private static final byte[] CLOCK = "clock".getBytes(StandardCharsets.US_ASCII);
    private static final int BATCH_MAX = 256;

    private final ProcessLife life;
    private final SimulatedDisk disk;
    private final StorageSettings settings;
    private final Bugs bugs;
    private final SimulatedPartitions partitions;
    private final SimulatedHintStore hints;
    private final SimulatedRegisters registers;
    private final SimulatedChangeLog log;
    private final Set<Integer> written = new HashSet<>(); // Partitions, since their watch began.
    private List<Commitment> waiting = new ArrayList<>();
    private int reads;
    private boolean committing;
    private boolean unsynced;
    private long noted;
    private LongSupplier newest = () -> 0;
    private DamageListener damage = (partition, key, removal) -> false;

    /** What waits for a commit. */
    private sealed interface Commitment {}

    private record PendingWrite(Change change, MonoSink<Void> sink) implements Commitment {}

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record PendingRemoval(byte[] key, byte[] expected, MonoSink<Boolean> sink) implements Commitment {}

    private record PendingDrop(int partition, Permit permit, MonoSink<Boolean> sink) implements Commitment {}

    public SimulatedStore(
            ProcessLife life, SimulatedDisk disk, StorageSettings settings, HintSettings hintSettings, Bugs bugs) {
        this.life = life;
        this.disk = disk;
        this.settings = settings;
        this.bugs = bugs;
        this.partitions = new SimulatedPartitions(life, disk, this::remove, this::met, () -> unsynced = true);
        disk.open();
        this.hints = new SimulatedHintStore(life, disk, hintSettings, () -> unsynced = true);
        this.registers = new SimulatedRegisters(life, disk, settings.queue(), bugs);
        this.log = new SimulatedChangeLog(life, disk);
    }

    /**
     * Opens the store on a disk.
     *
     * @param remembered how many changes are on it at least, as other members remember; 0 if none does
     * @throws LostDataException if the disk has lost something
     */
    public static SimulatedStore open(
            ProcessLife life,
            SimulatedDisk disk,
            long remembered,
            StorageSettings settings,
            HintSettings hints,
            Bugs bugs) {
        disk.requireWhole(remembered);
        return new SimulatedStore(life, disk, settings, hints, bugs);
    }

    @Override
    public long newestOfFormerLife() {
        return disk.read(NOTES, CLOCK)
                .map(ByteBuffer::wrap)
                .map(ByteBuffer::getLong)
                .orElse(0L);
    }

    @Override
    public void keepNewest(LongSupplier newestTime) {
        newest = newestTime;
        close(); // The first note is on the disk before anything is issued.
        syncLater();
    }

    private void syncLater() {
        var _ = life.after(settings.syncInterval().toNanos(), this::syncIfNeeded);
    }

    private void syncIfNeeded() {
        long time = newest.getAsLong();
        if (!unsynced && time == noted) {
            syncLater();
            return;
        }
        unsynced = false; // Before the sync: what is written meanwhile asks for the next one.
        if (!disk.append(List.of(note(time)))) {
            unsynced = true;
            syncLater();
            return;
        }
        long end = disk.end();
        var _ = life.after(disk.syncNanos(), () -> {
            disk.sync(end);
            noted = time;
            syncLater();
        });
    }

    private static Change note(long time) {
        return Change.put(
                NOTES, CLOCK, ByteBuffer.allocate(Long.BYTES).putLong(time).array());
    }

    @Override
    public Mono<Void> write(int partition, Key key, Cell cell) {
        Change change = Change.merge(CELLS, StorageKey.of(partition, key), cell.bytes());
        return Mono.create(sink -> commit(new PendingWrite(change, sink), sink));
    }

    /** Removes a key under which these bytes are stored. */
    Mono<Boolean> remove(byte[] storageKey, byte[] expected) {
        return Mono.create(sink -> commit(new PendingRemoval(storageKey, expected, sink), sink));
    }

    @Override
    public void whenDamaged(DamageListener listener) {
        damage = listener;
    }

    /** Those bytes are no cell of that key. Whether the partition is known to lack it. */
    private boolean met(byte[] storageKey, byte[] bytes) {
        return damage.damaged(
                StorageKey.partitionOf(storageKey), StorageKey.keyOf(storageKey), remove(storageKey, bytes));
    }

    private void commit(Commitment commitment, MonoSink<?> sink) {
        if (waiting.size() >= settings.queue()) {
            sink.error(new StoreOverloadedException());
            return;
        }
        waiting.add(commitment);
        commitNext();
    }

    private void commitNext() {
        if (committing || waiting.isEmpty()) {
            return;
        }
        committing = true;
        List<Commitment> batch = waiting.subList(0, Math.min(BATCH_MAX, waiting.size()));
        waiting = new ArrayList<>(waiting.subList(batch.size(), waiting.size()));
        // Between the two it is stored but not acknowledged.
        var _ = life.after(disk.commitNanos(), () -> {
            List<Runnable> answers = carryOut(batch);
            boolean syncs = settings.durability() == Durability.FSYNC;
            long end = disk.end();
            var _ = life.after(syncs ? disk.syncNanos() : disk.commitNanos(), () -> {
                if (syncs) {
                    disk.sync(end);
                }
                committed(answers);
            });
        });
    }

    /** The writes as one batch, and behind it each removal by itself. Returns what is to be answered. */
    private List<Runnable> carryOut(List<Commitment> batch) {
        List<Runnable> answers = new ArrayList<>(batch.size());
        List<Change> changes = new ArrayList<>(batch.size() + 1);
        batch.forEach(commitment -> {
            if (commitment instanceof PendingWrite write) {
                changes.add(write.change);
                written.add(StorageKey.partitionOf(write.change.key()));
            }
        });
        boolean done = !changes.isEmpty() && append(changes);
        for (Commitment commitment : batch) {
            switch (commitment) {
                case PendingWrite write -> answers.add(done ? write.sink::success : () -> fail(write.sink));
                case PendingRemoval removal -> answers.add(carryOut(removal));
                case PendingDrop drop -> answers.add(carryOut(drop));
            }
        }
        return answers;
    }

    private boolean append(List<Change> changes) {
        changes.add(note(newest.getAsLong()));
        boolean done = disk.append(changes);
        unsynced |= done;
        return done;
    }

    private Runnable carryOut(PendingRemoval removal) {
        boolean isThere = disk.read(CELLS, removal.key)
                .filter(bytes -> Arrays.equals(bytes, removal.expected))
                .isPresent();
        if (!isThere) {
            return () -> removal.sink.success(false);
        }
        boolean done = disk.append(List.of(Change.delete(CELLS, removal.key)));
        unsynced |= done;
        return done ? () -> removal.sink.success(true) : () -> fail(removal.sink);
    }

    private Runnable carryOut(PendingDrop drop) {
        boolean dropped = !written.contains(drop.partition) && drop.permit.given(() -> dropNow(drop.partition));
        return () -> drop.sink.success(dropped);
    }

    private boolean dropNow(int partition) {
        List<Change> changes = partitions.keysOf(partition).stream()
                .map(key -> Change.delete(CELLS, key))
                .toList();
        boolean done = disk.append(changes);
        unsynced |= done;
        return done;
    }

    private static void fail(MonoSink<?> sink) {
        sink.error(new IllegalStateException("the commit failed"));
    }

    private void committed(List<Runnable> answers) {
        answers.forEach(this::answering);
        committing = false;
        commitNext();
    }

    @Override
    public Mono<Cell> read(int partition, Key key) {
        return Mono.create(sink -> {
            byte[] storageKey = StorageKey.of(partition, key);
            if (disk.isInMemory()) {
                answer(sink, storageKey);
            } else if (reads >= settings.queue()) {
                sink.error(new StoreOverloadedException());
            } else {
                reads++;
                PendingRead read = new PendingRead();
                var _ = sink.onDispose(() -> read.isCancelled = true);
                var _ = life.after(disk.readNanos(), () -> serve(read, sink, storageKey));
            }
        });
    }

    private static final class PendingRead {
        boolean isCancelled;
    }

    private void serve(PendingRead read, MonoSink<Cell> sink, byte[] storageKey) {
        reads--;
        if (read.isCancelled) {
            return;
        }
        answering(() -> {
            if (disk.failsRead()) {
                sink.error(new IllegalStateException("the read failed"));
            } else {
                answer(sink, storageKey);
            }
        });
    }

    private void answer(MonoSink<Cell> sink, byte[] storageKey) {
        byte[] bytes = disk.read(CELLS, storageKey).orElse(null);
        if (bytes == null) {
            sink.success();
            return;
        }
        try {
            sink.success(Cell.decode(bytes).requireIntact(StorageKey.keyOf(storageKey)));
        } catch (MalformedCellException e) {
            var _ = met(storageKey, bytes);
            sink.error(e);
        }
    }

    /** A receiver that throws must not keep the others of its batch from their answers. */
    private void answering(Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException | Error e) {
            bugs.add("Who asked the store failed on being answered", e);
        }
    }

    @Override
    public Mono<Void> synced() {
        return settings.durability() == Durability.FSYNC
                ? Mono.empty()
                : Mono.create(sink -> {
                    long end = disk.end();
                    var _ = life.after(disk.syncNanos(), () -> {
                        disk.sync(end);
                        sink.success();
                    });
                });
    }

    @Override
    public ChangeLog log() {
        return log;
    }

    @Override
    public long changesOnDisk() {
        return disk.brought();
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
    public RegisterStore registers() {
        return registers;
    }

    @Override
    public PartitionStore partitions() {
        return partitions;
    }

    @Override
    public StoreChecks checks() {
        return partitions;
    }

    @Override
    public PartitionDrops drops() {
        return partition -> {
            written.remove(partition);
            return new Watch() {
                @Override
                public Mono<Boolean> drop(Permit permit) {
                    return Mono.create(sink -> commit(new PendingDrop(partition, permit, sink), sink));
                }

                @Override
                public void close() {
                    written.add(partition);
                }
            };
        };
    }

    @Override
    public NoteStore notes() {
        return partitions;
    }

    @Override
    public double fullness() {
        return (double) waiting.size() / settings.queue();
    }

    /** Nobody is told of room on simulated disks. */
    @Override
    public long bytes() {
        return 0;
    }

    /** Simulated disks fail now and then, and never for good. */
    @Override
    public boolean isFailing() {
        return false;
    }

    @Override
    public Optional<String> objection() {
        return Optional.empty();
    }

    /** Whether nothing waits and all is on the disk: a process may end here and lose nothing. */
    public boolean isQuiet() {
        return !committing && waiting.isEmpty() && registers.isQuiet();
    }

    @Override
    public void close() {
        if (disk.append(List.of(note(newest.getAsLong())))) {
            disk.sync(disk.end());
        }
    }
}
