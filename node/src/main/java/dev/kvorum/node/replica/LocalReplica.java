package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.CellStore;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The store of this node: asked by its own coordinator directly, and by others through the peers' port. */
public final class LocalReplica implements OwnReplica {
    /** What is said of an error in the storage, which the storage has logged. */
    private static final String STORAGE_FAILED = "its storage failed; its log says why";

    private final String member;
    private final Membership membership;
    private final CellStore store;
    private final HybridClock clock;
    private final ReplicaMetrics metrics;
    private final IntPredicate rebuilding;
    private final Floors floors;
    private final WriteReply stored;
    private final ReadReply absent;

    /**
     * @param floors what this node has acknowledged: raised here before each answer
     * @param rebuilding whether this node may lack cells of a partition that it once acknowledged: such partitions take writes, but their reads are
     *     refused, as "not found" would be no answer
     */
    public LocalReplica(
            Membership membership,
            CellStore store,
            HybridClock clock,
            ReplicaMetrics metrics,
            Floors floors,
            IntPredicate rebuilding) {
        this.membership = membership;
        this.member = membership.view().self();
        this.store = store;
        this.clock = clock;
        this.metrics = metrics;
        this.rebuilding = rebuilding;
        this.floors = floors;
        this.stored = new WriteReply.Stored(member);
        this.absent = new ReadReply.Absent(member);
    }

    @Override
    public String member() {
        return member;
    }

    @Override
    public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
        ReplicaFailure refusal = refusal(epoch);
        if (refusal != null) {
            return Mono.just(refusal);
        }
        if (clock.isTooFarAhead(cell.version())) {
            return Mono.just(tooFarAhead(cell)); // Also of this node's own clock: nobody else would take it.
        }
        if (floors.mayHaveForgotten(cell.version()) && isRebuilding(key)) {
            return Mono.just(
                    new ReplicaFailure(
                            member,
                            Reason.REFUSED,
                            "it may have forgotten what it acknowledged, and takes writes of clients once it is rebuilt or, at the latest, when a minute has passed"));
        }
        Version floor = floors.of(key);
        if (passes(cell, floor)) {
            return store(key, cell, epoch);
        }
        if (clock.isTooFarAhead(floor)) {
            return bringAboveStored(key, cell, epoch);
        }
        return Mono.just(below(floor));
    }

    /**
     * A floor that is too far ahead stands for all keys since a start: this node's clock was wrong before, or is wrong now. No version above it would be taken. The stored
     * cell says what this node has acknowledged of that key, at the price of a read.
     */
    private Mono<WriteReply> bringAboveStored(Key key, Cell cell, long epoch) {
        return store.read(membership.view().partitionOf(key), key)
                .map(Cell::version)
                .defaultIfEmpty(Version.NONE)
                .flatMap(stored -> passes(cell, stored) ? store(key, cell, epoch) : Mono.just(below(stored)))
                .onErrorResume(e -> Mono.just(failure(e)));
    }

    /** Once it is not, all floors are known again: what was brought has raised them. */
    private boolean isRebuilding(Key key) {
        return rebuilding.test(membership.view().partitionOf(key));
    }

    private static boolean passes(Cell cell, Version floor) {
        return cell.version().isAbove(floor) || cell.version().equals(floor);
    }

    private WriteReply below(Version floor) {
        metrics.belowFloor();
        return new WriteReply.Below(member, floor);
    }

    /**
     * {@inheritDoc}
     *
     * <p>It is on the disk before it is acknowledged, also with {@code async}. A power cut takes the end of the log, which is copied from the logs of the others. They have what
     * clients wrote at that time, not what was brought then and is older.
     */
    @Override
    public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
        return store(key, cell, epoch)
                .flatMap(reply -> reply instanceof WriteReply.Stored ? synced() : Mono.just(reply));
    }

    @Override
    public Mono<WriteReply> synced() {
        return store.synced().thenReturn(stored).onErrorResume(e -> Mono.just(failure(e)));
    }

    @Override
    public Mono<WriteReply> store(Key key, Cell cell, long epoch) {
        ClusterView view = membership.view();
        if (epoch != view.epoch()) {
            return Mono.just(refusal(epoch, view));
        }
        if (!clock.observe(cell.version())) {
            return Mono.just(tooFarAhead(cell));
        }
        return store.write(view.partitionOf(key), key, cell)
                .then(Mono.fromSupplier(() -> {
                    floors.raise(key, cell.version());
                    return answer(epoch);
                }))
                // What is cancelled, or fails, may be stored all the same; where it is found later, its floor counts.
                .doOnCancel(() -> floors.raise(key, cell.version()))
                .onErrorResume(e -> {
                    floors.raise(key, cell.version());
                    return Mono.just(failure(e));
                });
    }

    private ReplicaFailure tooFarAhead(Cell cell) {
        metrics.clockTooFarAhead();
        return new ReplicaFailure(
                member, Reason.REFUSED, "version " + cell.version() + " is too far ahead of this node's clock");
    }

    /**
     * What was committed after a newer epoch came into force is not acknowledged by the older: so whatever the older has acknowledged can be seen here from then on, which
     * is what whoever moves data counts on.
     */
    private WriteReply answer(long epoch) {
        ClusterView view = membership.view();
        return epoch == view.epoch() ? stored : refusal(epoch, view);
    }

    /** Who waits no more cancels it. */
    @Override
    public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
        ClusterView view = membership.view();
        if (epoch != view.epoch()) {
            return Mono.just(refusal(epoch, view));
        }
        int partition = view.partitionOf(key);
        if (rebuilding.test(partition)) {
            return Mono.just(new ReplicaFailure(member, Reason.REFUSED, "it is rebuilding what it has lost"));
        }
        return store.read(partition, key)
                .<ReadReply>map(cell -> new ReadReply.Found(member, cell))
                .defaultIfEmpty(absent)
                .map(found -> answer(found, epoch))
                .onErrorResume(e -> Mono.just(failure(e)));
    }

    /** What was looked for while a newer epoch came into force may have been dropped since: to find nothing is no answer then. */
    private ReadReply answer(ReadReply found, long epoch) {
        ClusterView view = membership.view();
        return epoch == view.epoch() ? found : refusal(epoch, view);
    }

    /** Takes note that a version of that key is about to be acknowledged by way of a register: no fresh write may be at or below it from now on. */
    public void acknowledges(Key key, Version version) {
        floors.raise(key, version);
    }

    /** Why this node does not serve a call of that epoch, whatever is asked for; null if it does. */
    public @Nullable ReplicaFailure refusal(long epoch) {
        ClusterView view = membership.view();
        return epoch == view.epoch() ? null : refusal(epoch, view);
    }

    /** Who goes by another epoch may count on other replicas than the rest: that is settled first. */
    private ReplicaFailure refusal(long epoch, ClusterView view) {
        return new ReplicaFailure(
                member,
                epoch < view.epoch() ? Reason.STALE : Reason.BEHIND,
                "it goes by epoch " + view.epoch() + ", not " + epoch);
    }

    /** What an error of the store comes to. */
    public ReplicaFailure failure(Throwable e) {
        return new ReplicaFailure(
                member, e instanceof StoreOverloadedException ? Reason.OVERLOADED : Reason.BROKEN, inWords(e));
    }

    /** Why the store of a member did not do what it was asked for, in words for a client. */
    public static String inWords(Throwable e) {
        return e instanceof StoreOverloadedException ? String.valueOf(e.getMessage()) : STORAGE_FAILED;
    }
}
