package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.HintPage;
import dev.kvorum.node.storage.HintStore;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.storage.StoredHint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.RocksDBException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Hints in RocksDB, beside the cells. One thread of its own does all of it, so that the accounts of the queues need no lock and nothing here
 * delays a cell; what waits for it is bounded in number and bytes.
 */
public final class RocksHintStore implements HintStore, AutoCloseable {
    private static final int QUEUE = 8192;
    private static final int BATCH_MAX = 256;
    private static final int COMMIT_BYTES_MAX = 1 << 20;
    private static final int EXPIRED_MAX = 4096; // At once: others want the thread, too.

    /** Nobody waits for a hint to be stored: those that come within this time after a commit share the next. */
    private static final long GATHERING = TimeUnit.MILLISECONDS.toNanos(2);

    private final HintTable table;
    private final HintSettings settings;
    private final AtomicLong queuedBytes = new AtomicLong();
    private final DiskFailure failing = new DiskFailure("Storing a hint");
    private final BatchWorker<Runnable> worker;
    private final List<PendingHint> gathered = new ArrayList<>(); // Of the worker's thread.
    private long gatheredBytes;

    /** @param committed told after each commit, by the thread that made it: the log is not on the disk yet */
    RocksHintStore(RocksDatabase database, HintSettings settings, Runnable committed) {
        this.table = database.ask(() -> table(database, settings, committed));
        this.settings = settings;
        // Nobody waits for a hint, but the next commit of cells waits for one of hints that has begun.
        this.worker = BatchWorker.ofRequests(
                "kvorum-hints", QUEUE, BATCH_MAX, (List<Runnable> tasks) -> database.use(() -> work(tasks)));
    }

    private static HintTable table(RocksDatabase database, HintSettings settings, Runnable committed) {
        try {
            return new HintTable(database, settings.bytesMax().toBytes(), committed);
        } catch (RocksDBException e) {
            throw new IllegalStateException("The accounts of the hints can't be read", e);
        }
    }

    /** How storing hints fails at present. */
    DiskFailure failure() {
        return failing;
    }

    @Override
    public Mono<Integer> put(String member, Key key, Cell cell) {
        return Mono.create(sink -> {
            int bytes = HintLayout.bytes(member, key, cell);
            PendingHint hint = new PendingHint(member, key, cell, bytes, sink);
            if (bytes > settings.bytesMax().toBytes() || !queue(hint)) {
                sink.error(new StoreOverloadedException());
            }
        });
    }

    /** One that waits alone may be as long as it likes. */
    private boolean queue(PendingHint hint) {
        long waiting = queuedBytes.addAndGet(hint.bytes());
        boolean fits = waiting <= settings.memory().toBytes() || waiting == hint.bytes();
        if (fits && worker.offer(() -> gather(hint))) {
            return true;
        }
        queuedBytes.addAndGet(-hint.bytes());
        return false;
    }

    @Override
    public Mono<HintPage> page(String member, long from, int hintsMax, long bytesMax) {
        return later(() -> table.page(member, from, hintsMax, bytesMax));
    }

    @Override
    public Mono<Void> remove(String member, List<StoredHint> hints) {
        return later(() -> {
                    table.remove(member, hints);
                    return hints;
                })
                .then();
    }

    @Override
    public Mono<Integer> expire(long millis) {
        return later(() -> table.expire(millis, EXPIRED_MAX));
    }

    @Override
    public Map<String, HintBacklog> waiting() {
        return table.waiting();
    }

    private <T> Mono<T> later(Callable<T> operation) {
        return Mono.create(sink -> {
            if (!worker.offer(() -> carryOut(operation, sink))) {
                sink.error(new StoreOverloadedException());
            }
        });
    }

    private <T> void carryOut(Callable<T> operation, MonoSink<T> sink) {
        try {
            T result = operation.call();
            Answering.guarded(() -> sink.success(result));
        } catch (Exception | Error e) {
            Answering.guarded(() -> sink.error(e));
        }
    }

    private void work(List<Runnable> tasks) {
        tasks.forEach(Runnable::run);
        if (!gathered.isEmpty()) {
            commitGathered();
            LockSupport.parkNanos(GATHERING);
        }
    }

    /** Hints that come together share a commit, but none that is so large that it holds up the log. */
    private void gather(PendingHint hint) {
        if (!gathered.isEmpty() && gatheredBytes + hint.bytes() > COMMIT_BYTES_MAX) {
            commitGathered();
        }
        gathered.add(hint);
        gatheredBytes += hint.bytes();
    }

    private void commitGathered() {
        List<PendingHint> hints = List.copyOf(gathered);
        gathered.clear();
        queuedBytes.addAndGet(-gatheredBytes);
        gatheredBytes = 0;
        int gone;
        try {
            gone = table.put(hints);
        } catch (RocksDBException | RuntimeException | Error e) {
            failing.saw(e);
            hints.forEach(hint -> Answering.guarded(() -> hint.sink().error(e)));
            return;
        }
        failing.sawNone();
        for (int i = 0; i < hints.size(); i++) {
            int forThis = i == 0 ? gone : 0;
            MonoSink<Integer> sink = hints.get(i).sink();
            Answering.guarded(() -> sink.success(forThis));
        }
    }

    /** Finishes what was accepted. The database is to be closed after it. Blocks. */
    @Override
    public void close() {
        worker.close();
        table.close();
    }
}
