package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.CellStore;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import reactor.core.publisher.Mono;

/** The store of this node: asked by its own coordinator directly, and by others through the peers' port. */
public final class LocalReplica implements Replica {
    private final String member;
    private final ToIntFunction<Key> partitions;
    private final CellStore store;
    private final HybridClock clock;
    private final ReplicaMetrics metrics;
    private final IntPredicate rebuilding;
    private final WriteReply stored;
    private final ReadReply absent;

    /**
     * @param partitions the partition of a key
     * @param rebuilding whether this node may lack cells of a partition that it once acknowledged: such partitions take writes, but their reads are
     *     refused, as "not found" would be no answer
     */
    public LocalReplica(
            String member,
            ToIntFunction<Key> partitions,
            CellStore store,
            HybridClock clock,
            ReplicaMetrics metrics,
            IntPredicate rebuilding) {
        this.member = member;
        this.partitions = partitions;
        this.store = store;
        this.clock = clock;
        this.metrics = metrics;
        this.rebuilding = rebuilding;
        this.stored = new WriteReply.Stored(member);
        this.absent = new ReadReply.Absent(member);
    }

    @Override
    public String member() {
        return member;
    }

    @Override
    public Mono<WriteReply> write(Key key, Cell cell) {
        if (!clock.observe(cell.version())) {
            metrics.clockTooFarAhead();
            return Mono.just(new ReplicaFailure(
                    member, Reason.REFUSED, "version " + cell.version() + " is too far ahead of this node's clock"));
        }
        return store.write(partitions.applyAsInt(key), key, cell)
                .thenReturn(stored)
                .onErrorResume(e -> Mono.just(failure(e)));
    }

    @Override
    public Mono<ReadReply> read(Key key) {
        int partition = partitions.applyAsInt(key);
        if (rebuilding.test(partition)) {
            return Mono.just(new ReplicaFailure(member, Reason.REFUSED, "it is rebuilding what it has lost"));
        }
        return store.read(partition, key)
                .<ReadReply>map(cell -> new ReadReply.Found(member, cell))
                .defaultIfEmpty(absent)
                .onErrorResume(e -> Mono.just(failure(e)));
    }

    private ReplicaFailure failure(Throwable e) {
        return e instanceof StoreOverloadedException
                ? new ReplicaFailure(member, Reason.OVERLOADED, String.valueOf(e.getMessage()))
                : new ReplicaFailure(member, Reason.BROKEN, "storage: " + e.getMessage());
    }
}
