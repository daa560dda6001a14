package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.verification.Verifications;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Drops deletions and expired values that are not needed any more, one partition at a time. Each member does so for itself, with the bound it was
 * told; whether one has dropped a cell and another not yet makes no difference to them, as they compare neither.
 *
 * <p>Any thread.
 */
public final class Sweep {
    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
    private static final int AT_ONCE = 256; // Removals between two looks at the pace.

    private final PartitionStore store;
    private final Pace scans;
    private final CopyMetrics metrics;
    private final Set<Integer> suspects = ConcurrentHashMap.newKeySet();
    private final TreeMap<Integer, Long> pending = new TreeMap<>();
    private boolean running;

    public Sweep(PartitionStore store, Pace scans, CopyMetrics metrics) {
        this.store = store;
        this.scans = scans;
        this.metrics = metrics;
    }

    /** Takes note of a cell that was come across: a partition without any that has ended need not be walked through for them. */
    void saw(Scope scope, Cell cell) {
        if (scope.hasEnded(cell.endMillis())) {
            suspects.add(scope.partition());
        }
    }

    /** Drops what ended before that time, soon; nothing if it is {@link Verifications#NEVER}. */
    void begin(int partition, long droppableBefore) {
        if (droppableBefore == Verifications.NEVER || !suspects.remove(partition)) {
            return;
        }
        synchronized (this) {
            pending.put(partition, droppableBefore);
            if (running) {
                return;
            }
            running = true;
        }
        var _ = Mono.defer(this::next).repeat(this::goesOn).subscribe();
    }

    private synchronized boolean goesOn() {
        running = !pending.isEmpty();
        return running;
    }

    private Mono<Void> next() {
        Map.@Nullable Entry<Integer, Long> first;
        synchronized (this) {
            first = pending.pollFirstEntry();
        }
        return first == null ? Mono.empty() : drop(new Scope(first.getKey(), 0, Long.MAX_VALUE, first.getValue()));
    }

    private Mono<Void> drop(Scope scope) {
        return Page.all(start -> page(scope, start.after()))
                .concatMap(page -> Flux.fromIterable(page.ended).concatMap(item -> remove(scope, item)))
                .then()
                .onErrorResume(e -> {
                    LOG.warn(
                            "Deletions of partition {} could not be dropped; the next run tries again",
                            scope.partition(),
                            e);
                    return Mono.empty();
                });
    }

    private Mono<Ended> page(Scope scope, @Nullable Key after) {
        List<KeyedCell> ended = new ArrayList<>();
        return scans.ready()
                .then(Mono.defer(() ->
                        store.scan(new KeyRange(scope.partition(), after, null), ScanLimit.PAGE, (key, cell) -> {
                            if (scope.hasEnded(cell.endMillis())) {
                                ended.add(new KeyedCell(key, cell));
                            }
                            return ended.size() < AT_ONCE;
                        })))
                .map(scanned -> {
                    scans.spend(scanned.bytes());
                    return new Ended(ended, scanned.bytes(), scanned.last());
                });
    }

    private Mono<Boolean> remove(Scope scope, KeyedCell item) {
        return store.remove(scope.partition(), item.key(), item.cell()).doOnNext(removed -> {
            if (removed) {
                metrics.dropped();
            }
        });
    }

    private record Ended(
            List<KeyedCell> ended, long bytes, @Nullable Key last) implements Page {}
}
