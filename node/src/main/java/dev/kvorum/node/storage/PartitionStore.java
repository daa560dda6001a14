package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import reactor.core.publisher.Mono;

/**
 * The cells of this node by partition, for work that goes through many of them and has time. It has one thread, so that it never takes more than
 * a processor and never waits in the queues of clients' reads. Any thread may call it; nothing blocks the caller.
 *
 * <p>All fail with {@link StoreOverloadedException} at once when too much is waiting; with another error if the disk fails.
 */
public interface PartitionStore {
    /**
     * Visits the newest cells of a range, in order, as they are at one moment. Nothing is held after it: the next scan sees what was
     * written meanwhile. What it reads takes no place in the memory for blocks that clients read.
     */
    Mono<Scanned> scan(KeyRange range, ScanLimit limit, CellVisitor visitor);

    /** How much a partition holds, estimated. */
    Mono<PartitionSize> size(int partition);

    /**
     * Removes a key whose newest cell is this one. Never takes a newer one with it: it is compared and removed where writes are committed, between
     * two of them. Removed for good: an older cell that is written afterwards is the newest again.
     *
     * @return whether it was removed; false if the key has another cell or none
     */
    Mono<Boolean> remove(int partition, Key key, Cell cell);
}
