package dev.kvorum.node.hint;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.HintStore;

/** Keeps writes that replicas did not take. Any thread. */
public final class Hints {
    private final HintStore store;
    private final HintMetrics metrics;

    public Hints(HintStore store, HintMetrics metrics) {
        this.store = store;
        this.metrics = metrics;
    }

    /**
     * Keeps a cell that the replica on a member did not take. Returns at once and never fails: a hint that can't be kept is counted, and what it
     * stood for is left to anti-entropy.
     */
    public void keep(String member, Key key, Cell cell) {
        // The store says in the log what is wrong with the disk: once, not for each hint.
        var _ = store.put(member, key, cell).subscribe(metrics::stored, unstorable -> metrics.unstorable());
    }

    HintStore store() {
        return store;
    }

    HintMetrics metrics() {
        return metrics;
    }
}
