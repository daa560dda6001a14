package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import dev.kvorum.node.storage.StoreOverloadedException;
import reactor.core.publisher.Mono;

/**
 * The partitions of this node for those who compare and move them: none is looked through before its open registers are settled. So a partition that was
 * verified has no proposal from before that only some acceptors know: its next owners would not, nor would a member that has lost its disk.
 */
public final class SettledPartitions implements PartitionStore {
    private final PartitionStore origin;
    private final Settling settling;

    public SettledPartitions(PartitionStore origin, Settling settling) {
        this.origin = origin;
        this.settling = settling;
    }

    @Override
    public Mono<Scanned> scan(KeyRange range, ScanLimit limit, CellVisitor visitor) {
        if (range.after() != null) {
            return origin.scan(range, limit, visitor);
        }
        return settling.settle(range.partition())
                .flatMap(settled -> settled
                        ? origin.scan(range, limit, visitor)
                        : Mono.error(new StoreOverloadedException())); // Whoever asked comes again.
    }

    @Override
    public Mono<PartitionSize> size(int partition) {
        return origin.size(partition);
    }

    @Override
    public Mono<Boolean> remove(int partition, Key key, Cell cell) {
        return origin.remove(partition, key, cell);
    }
}
