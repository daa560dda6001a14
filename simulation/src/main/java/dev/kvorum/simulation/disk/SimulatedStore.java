package dev.kvorum.simulation.disk;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.CellStore;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Life;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * The cells of one process. It keeps to the order of events of the store in RocksDB: one commit at a time, of all that waits; the clock's note
 * within each; the log brought to the disk at every interval, or with every commit; reads from memory at once, others later.
 */
public final class SimulatedStore implements CellStore {
    /** The family of the cells on the disk. */
    public static final String CELLS = "cells";

    private static final String NOTES = "notes";
    private static final byte[] CLOCK = "clock".getBytes(StandardCharsets.US_ASCII);
    private static final int BATCH_MAX = 256;

    private final Life life;
    private final SimulatedDisk disk;
    private final StorageSettings settings;
    private final Bugs bugs;
    private List<PendingWrite> waiting = new ArrayList<>();
    private int reads;
    private boolean committing;
    private boolean unsynced;
    private long noted;
    private LongSupplier newest = () -> 0;

    private record PendingWrite(Change change, MonoSink<Void> sink) {}

    public SimulatedStore(Life life, SimulatedDisk disk, StorageSettings settings, Bugs bugs) {
        this.life = life;
        this.disk = disk;
        this.settings = settings;
        this.bugs = bugs;
        disk.open();
    }

    /** The newest hybrid time that a former life of this node has left, or 0. */
    public long newestOfFormerLife() {
        return disk.read(NOTES, CLOCK)
                .map(ByteBuffer::wrap)
                .map(ByteBuffer::getLong)
                .orElse(0L);
    }

    /** Keeps the newest hybrid time on the disk and brings the log there, now and at every interval in which something was written. */
    public void syncEvery(LongSupplier newestTime) {
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
        return Mono.create(sink -> {
            if (waiting.size() >= settings.queue()) {
                sink.error(new StoreOverloadedException());
                return;
            }
            waiting.add(new PendingWrite(Change.merge(CELLS, StorageKey.of(partition, key), cell.bytes()), sink));
            commitNext();
        });
    }

    private void commitNext() {
        if (committing || waiting.isEmpty()) {
            return;
        }
        committing = true;
        List<PendingWrite> batch = waiting.subList(0, Math.min(BATCH_MAX, waiting.size()));
        waiting = new ArrayList<>(waiting.subList(batch.size(), waiting.size()));
        // Between the two it is stored but not acknowledged.
        var _ = life.after(disk.commitNanos(), () -> {
            boolean done = append(batch);
            boolean syncs = done && settings.durability() == Durability.FSYNC;
            long end = disk.end();
            var _ = life.after(syncs ? disk.syncNanos() : disk.commitNanos(), () -> {
                if (syncs) {
                    disk.sync(end);
                }
                committed(batch, done);
            });
        });
    }

    private boolean append(List<PendingWrite> batch) {
        List<Change> changes = new ArrayList<>(batch.size() + 1);
        batch.forEach(write -> changes.add(write.change));
        changes.add(note(newest.getAsLong()));
        boolean done = disk.append(changes);
        unsynced |= done;
        return done;
    }

    private void committed(List<PendingWrite> batch, boolean done) {
        for (PendingWrite write : batch) {
            answering(() -> {
                if (done) {
                    write.sink.success();
                } else {
                    write.sink.error(new IllegalStateException("the commit failed"));
                }
            });
        }
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
        disk.read(CELLS, storageKey).map(Cell::decode).ifPresentOrElse(sink::success, sink::success);
    }

    /** A receiver that throws must not keep the others of its batch from their answers. */
    private void answering(Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException | Error e) {
            bugs.add("Who asked the store failed on being answered", e);
        }
    }

    /** The hints beside these cells. Once. */
    public SimulatedHintStore hints(HintSettings hintSettings) {
        return new SimulatedHintStore(life, disk, hintSettings, () -> unsynced = true);
    }

    /** Whether nothing waits and all is on the disk: a process may end here and lose nothing. */
    public boolean isQuiet() {
        return !committing && waiting.isEmpty();
    }

    /** The end of an orderly stop: the last note of the clock, and all of the log on the disk. */
    public void close() {
        if (disk.append(List.of(note(newest.getAsLong())))) {
            disk.sync(disk.end());
        }
    }
}
