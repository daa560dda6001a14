package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.replica.OwnReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import dev.kvorum.node.verification.Verifications;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Single cells of this node, read and stored through its replica. Any thread. */
public final class LocalCells {
    private static final int WRITES_AT_ONCE = 64; // Of thousands that may wait before the disk.
    private static final long FULL_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int FULL_PAUSES_MAX = 100; // Half of what a caller waits.

    private final OwnReplica replica;
    private final LongSupplier epoch;
    private final Deadlines deadlines;
    private final Verifications verifications;

    /** @param epoch the one in force: cells merge, so they may be read and stored under any, but each call keeps to one */
    public LocalCells(OwnReplica replica, LongSupplier epoch, Deadlines deadlines, Verifications verifications) {
        this.replica = replica;
        this.epoch = epoch;
        this.deadlines = deadlines;
        this.verifications = verifications;
    }

    String member() {
        return replica.member();
    }

    /**
     * Reads the cells under some keys, up to a page. Reads one after the other: at most one of them waits in the queue of readers before a client's read.
     */
    Mono<CellPage> page(List<Key> keys) {
        return Mono.defer(() -> {
            PageItems<KeyedCell> page = new PageItems<>(KeyedCell::bytes);
            return Flux.fromIterable(keys)
                    .concatMap(key -> replica.read(key, epoch.getAsLong()).map(reply -> take(page, key, reply)))
                    .takeWhile(taken -> taken)
                    .then(Mono.fromSupplier(() -> new CellPage(page.items(), page.bytes(), page.last())));
        });
    }

    private static boolean take(PageItems<KeyedCell> page, Key key, ReadReply reply) {
        return switch (reply) {
            case ReadReply.Found found -> page.add(key, new KeyedCell(key, found.cell()));
            case ReadReply.Absent absent -> page.skip(key);
            case ReplicaFailure failure -> throw new CopyUnavailableException(failure);
        };
    }

    /**
     * Stores cells as writes would. Those that find the queue full follow one after the other: were all refused for them, the same few would be stored each time and the
     * rest never.
     */
    Mono<Void> store(int partition, List<KeyedCell> cells) {
        return hold(partition, cells).then(Mono.defer(this::synced));
    }

    /** As {@link #store}, but only as durable as the settings say: {@link #synced} follows when all that belongs together is stored. */
    public Mono<Void> hold(int partition, List<KeyedCell> cells) {
        return Flux.fromIterable(cells)
                .doOnNext(item -> verifications.lacked(partition, item.cell().endMillis()))
                .flatMap(this::storeOrReturn, WRITES_AT_ONCE)
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(item -> patient(item, FULL_PAUSES_MAX))
                .then();
    }

    /** Brings to the disk what was stored before. */
    public Mono<Void> synced() {
        return replica.synced().doOnNext(LocalCells::requireStored).then();
    }

    /** Empty once it is stored; the item itself if there was no room. */
    private Mono<KeyedCell> storeOrReturn(KeyedCell item) {
        return write(item).flatMap(reply -> {
            if (isOverloaded(reply)) {
                return Mono.just(item);
            }
            requireStored(reply);
            return Mono.empty();
        });
    }

    private Mono<WriteReply> patient(KeyedCell item, int pauses) {
        return write(item).flatMap(reply -> {
            if (isOverloaded(reply) && pauses > 0) {
                return deadlines.after(FULL_PAUSE_NANOS).then(Mono.defer(() -> patient(item, pauses - 1)));
            }
            requireStored(reply);
            return Mono.just(reply);
        });
    }

    private Mono<WriteReply> write(KeyedCell item) {
        return replica.store(item.key(), item.cell(), epoch.getAsLong());
    }

    private static boolean isOverloaded(WriteReply reply) {
        return reply instanceof ReplicaFailure failure && failure.reason() == Reason.OVERLOADED;
    }

    private static void requireStored(WriteReply reply) {
        if (reply instanceof ReplicaFailure failure) {
            throw new CopyUnavailableException(failure);
        }
    }
}
