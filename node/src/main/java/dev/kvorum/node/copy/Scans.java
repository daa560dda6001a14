package dev.kvorum.node.copy;

import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import reactor.core.publisher.Mono;

/** Scans of this node's cells. All callers share one rate. Any thread. */
public final class Scans {
    private final PartitionStore store;
    private final Pace pace;
    private final CopyMetrics metrics;

    public Scans(PartitionStore store, Pace pace, CopyMetrics metrics) {
        this.store = store;
        this.pace = pace;
        this.metrics = metrics;
    }

    /** Scans up to a page, as the store does, when the rate allows it. */
    Mono<Scanned> page(KeyRange range, CellVisitor visitor) {
        return pace.ready()
                .then(Mono.defer(() -> store.scan(range, ScanLimit.PAGE, visitor)))
                .doOnNext(scanned -> {
                    pace.spend(scanned.bytes());
                    metrics.scanned(scanned.bytes());
                });
    }

    /** How far the scans are behind their rate, in nanoseconds. */
    long debtNanos() {
        return pace.debtNanos();
    }
}
