package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * Writes that members are owed: one queue per member, all of them bounded together in bytes. Any thread may call it; nothing blocks the caller,
 * and what is subscribed to is signalled on a thread of the store.
 *
 * <p>Each operation fails with {@link StoreOverloadedException} at once when too much is waiting; with another error if the disk fails.
 */
public interface HintStore {
    /**
     * Puts a hint at the end of a member's queue. Where there is no room for it the oldest hints go, of whichever member they are.
     *
     * @return how many had to go for it
     */
    Mono<Integer> put(String member, Key key, Cell cell);

    /**
     * The hints at and behind a place of a member's queue, in order.
     *
     * @param from a sequence number, or 0 for the beginning
     * @param hintsMax how many at most, at least 1
     * @param bytesMax how many bytes at most; one hint may be longer
     * @return never empty, but a page of none where there is nothing at or behind that place
     */
    Mono<HintPage> page(String member, long from, int hintsMax, long bytesMax);

    /** Removes hints that a page held, each once. */
    Mono<Void> remove(String member, List<StoredHint> hints);

    /**
     * Removes hints from the heads of all queues that were written before a time.
     *
     * @param millis since 1970
     * @return how many; there may be more of them when it is not 0
     */
    Mono<Integer> expire(long millis);

    /** What waits, by member; only those for whom something does. From memory. */
    Map<String, HintBacklog> waiting();
}
