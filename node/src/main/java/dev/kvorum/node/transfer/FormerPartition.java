package dev.kvorum.node.transfer;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.PartitionDrops.Watch;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import java.util.HashMap;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A partition of which this node need not hold most cells under an epoch.
 *
 * <ol>
 *   <li>A watch begins: what is written from here on keeps the partition from being dropped as a whole.
 *   <li>All that own it are given what they lack. So they are shown to hold all that this node held.
 *   <li>If there is nothing in it that this node has to hold itself, it is dropped as a whole; otherwise the rest of it is removed cell by cell, none
 *       that was written since. Both only while the epoch is still in force.
 * </ol>
 *
 * @param rank of this node, or -1; it has to hold what was written with more copies
 */
record FormerPartition(TransferParts parts, long epoch, int partition, int rank) {
    /** Whether it holds anything that it need not. */
    Mono<Boolean> isHeld() {
        return new Walk(false).through().map(walk -> walk.unneeded > 0);
    }

    /** Completes with whether it was dropped, wholly or but for what has to stay; false means that it is worth another try. */
    Mono<Boolean> drop() {
        return Mono.using(() -> parts.drops().watch(partition), this::dropWatched, Watch::close);
    }

    private Mono<Boolean> dropWatched(Watch watch) {
        return new Walk(true)
                .through()
                .flatMap(walk -> parts.sync()
                        .give(partition)
                        .then(Mono.defer(() -> walk.needed == 0
                                ? watch.drop(work -> parts.membership().within(epoch, work))
                                : removeEach(walk))));
    }

    /** Cells that were there before they were given. */
    private Mono<Boolean> removeEach(Walk walk) {
        return Flux.fromIterable(walk.found.entrySet())
                .concatMap(entry -> parts.membership().view().epoch() == epoch
                        ? parts.store().remove(partition, entry.getKey(), entry.getValue())
                        : Mono.just(false))
                .all(removed -> removed)
                .map(all -> all && walk.found.size() == walk.unneeded);
    }

    /** Goes through the partition, and counts. */
    private final class Walk {
        private static final long FOUND_BYTES_MAX = 4 << 20; // The rest is found by another walk.

        private final boolean whole;
        private final Map<Key, Cell> found = new HashMap<>();
        private long foundBytes;
        private int needed;
        private int unneeded;

        /** @param whole whether it is gone through to the end, or to the first cell that is not needed */
        Walk(boolean whole) {
            this.whole = whole;
        }

        Mono<Walk> through() {
            return page(KeyRange.of(partition))
                    .expand(scanned -> scanned.last() == null || (!whole && unneeded > 0)
                            ? Mono.empty()
                            : page(KeyRange.of(partition).from(scanned.last())))
                    .then(Mono.just(this));
        }

        private Mono<Scanned> page(KeyRange range) {
            return parts.store().scan(range, ScanLimit.PAGE, this::visit);
        }

        private boolean visit(Key key, Cell cell) {
            if (isNeeded(cell)) {
                needed++;
                return true;
            }
            unneeded++;
            if (foundBytes < FOUND_BYTES_MAX) {
                found.put(key, cell);
                foundBytes += cell.bytes().length;
            }
            return whole;
        }

        private boolean isNeeded(Cell cell) {
            return rank >= 0 && cell.copies() > rank;
        }
    }
}
