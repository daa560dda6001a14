package dev.kvorum.simulation.disk;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.HintPage;
import dev.kvorum.node.storage.HintStore;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.storage.StoredHint;
import dev.kvorum.simulation.disk.HintQueues.Batch;
import dev.kvorum.simulation.world.ProcessLife;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * The hints of one process, on the disk that its cells are on. As the store in RocksDB it does one thing after the other, apart from the cells;
 * of what it holds, the queues in memory are what the disk says.
 */
public final class SimulatedHintStore implements HintStore {
    private static final int TASKS_MAX = 8192;

    private final ProcessLife life;
    private final SimulatedDisk disk;
    private final HintSettings settings;
    private final Runnable committed;
    private final HintQueues queues;
    private final Deque<Task<?>> tasks = new ArrayDeque<>();
    private long pendingBytes;
    private boolean busy;

    /** @param work makes a change and returns what it comes to; null where the disk fails */
    private record Task<T>(Supplier<@Nullable T> work, MonoSink<T> sink) {
        void carryOut() {
            T result = work.get();
            if (result == null) {
                sink.error(new IllegalStateException("the disk failed on a hint"));
            } else {
                sink.success(result);
            }
        }
    }

    /** @param committed told after each commit */
    SimulatedHintStore(ProcessLife life, SimulatedDisk disk, HintSettings settings, Runnable committed) {
        this.life = life;
        this.disk = disk;
        this.settings = settings;
        this.committed = committed;
        this.queues = new HintQueues(disk);
    }

    @Override
    public Mono<Integer> put(String member, Key key, Cell cell) {
        int bytes = HintQueues.bytes(member, key, cell);
        return Mono.create(sink -> {
            boolean fits = pendingBytes == 0
                    || pendingBytes + bytes <= settings.memory().toBytes();
            if (bytes > settings.bytesMax().toBytes() || !fits) {
                sink.error(new StoreOverloadedException());
                return;
            }
            pendingBytes += bytes;
            enqueue(new Task<>(() -> keep(member, key, cell, bytes), sink));
        });
    }

    private @Nullable Integer keep(String member, Key key, Cell cell, int bytes) {
        pendingBytes -= bytes;
        Batch batch = queues.new Batch();
        int gone = queues.makeRoom(settings.bytesMax().toBytes() - bytes, batch);
        queues.put(member, key, cell, batch);
        return commit(batch) ? gone : null;
    }

    @Override
    public Mono<HintPage> page(String member, long from, int hintsMax, long bytesMax) {
        return later(() -> disk.failsRead() ? null : new HintPage(queues.page(member, from, hintsMax, bytesMax), 0));
    }

    @Override
    public Mono<Void> remove(String member, List<StoredHint> hints) {
        return later(() -> {
                    Batch batch = queues.new Batch();
                    queues.remove(member, hints, batch);
                    return commit(batch) ? hints : null;
                })
                .then();
    }

    @Override
    public Mono<Integer> expire(long millis) {
        return later(() -> {
            Batch batch = queues.new Batch();
            int expired = queues.expire(millis, batch);
            return commit(batch) ? expired : null;
        });
    }

    private boolean commit(Batch batch) {
        boolean done = batch.commit();
        if (done) {
            committed.run();
        }
        return done;
    }

    @Override
    public Map<String, HintBacklog> waiting() {
        return queues.waiting();
    }

    private <T> Mono<T> later(Supplier<@Nullable T> work) {
        return Mono.create(sink -> enqueue(new Task<>(work, sink)));
    }

    private void enqueue(Task<?> task) {
        if (tasks.size() >= TASKS_MAX) {
            task.sink.error(new StoreOverloadedException());
            return;
        }
        tasks.add(task);
        carryOutNext();
    }

    private void carryOutNext() {
        Task<?> next = busy ? null : tasks.poll();
        if (next == null) {
            return;
        }
        busy = true;
        var _ = life.after(disk.commitNanos(), () -> {
            next.carryOut();
            busy = false;
            carryOutNext();
        });
    }
}
