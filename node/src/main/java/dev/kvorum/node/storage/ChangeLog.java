package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import reactor.core.publisher.Mono;

/**
 * The last changes of a store, in the order in which they were made. The store keeps them for {@code kvorum.storage.log-kept}.
 *
 * <p>Any thread may call it; nothing blocks the caller.
 */
public interface ChangeLog {
    /** The number of the last change; negative while the store can't tell. The numbers go on from one life of the node to the next. Does not block. */
    long last();

    /**
     * Cells that were stored, the oldest first. A cell that was stored twice comes twice.
     *
     * @param after the number of the last change that is not wanted
     * @param upTo the number of the last one that is
     * @param filter which of them are wanted
     * @param bytes of the cells and keys of a page at most, unless it has but one
     * @return fails with {@link ChangesGoneException} where the store does not keep them any more, and with {@link dev.kvorum.node.cell.MalformedCellException} where a cell
     *     is damaged
     */
    Mono<ChangePage> after(long after, long upTo, ChangeFilter filter, int bytes);

    /** Which cells somebody wants. */
    @FunctionalInterface
    interface ChangeFilter {
        boolean wants(int partition, Cell cell);
    }
}
