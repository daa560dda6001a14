package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import reactor.core.publisher.Mono;

/**
 * The newest cell of every key of one node. Any thread may call it; nothing blocks the caller. What memory answers is signalled at
 * once, everything else on a thread of the store, or on the event loop that asked.
 */
public interface CellStore {
    /**
     * Stores the cell unless a newer one is there, and completes when it is as durable as the settings say. Idempotent, and
     * independent of the order of writes. Cancelling does not take it back.
     *
     * <p>Fails with {@link StoreOverloadedException} at once when too much is waiting; with another error if the disk fails.
     */
    Mono<Void> write(int partition, Key key, Cell cell);

    /**
     * Completes when all that was written before is on the disk, whatever the settings say: those that ask at a time share a sync.
     *
     * <p>Fails as {@link #write} does.
     */
    Mono<Void> synced();

    /**
     * The newest cell, which may be a tombstone; empty if there never was one or its tombstone is gone. A read that is cancelled
     * before it began is not carried out.
     *
     * <p>Fails as {@link #write} does.
     */
    Mono<Cell> read(int partition, Key key);
}
