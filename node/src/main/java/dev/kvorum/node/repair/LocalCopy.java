package dev.kvorum.node.repair;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** This node's own copy. Whoever asks, scans share one rate. */
final class LocalCopy implements PartitionCopy {
    private static final int WRITES_AT_ONCE = 64; // Of thousands that may wait before the disk.
    private static final long FULL_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int FULL_PAUSES_MAX = 100; // Half of what a caller waits.

    private final PartitionStore store;
    private final Replica replica;
    private final LongSupplier epoch;
    private final Deadlines deadlines;
    private final LongSupplier wallMillis;
    private final Pace scans;
    private final Verifications verifications;
    private final Sweep sweep;
    private final RepairMetrics metrics;
    private final long boot;

    /**
     * @param replica reads and stores single cells
     * @param epoch the one in force: cells merge, so they may be stored and told under any, but each call keeps to one
     * @param wallMillis milliseconds since 1970
     * @param boot drawn by chance, so that no two processes of this node have the same
     */
    LocalCopy(
            PartitionStore store,
            Replica replica,
            LongSupplier epoch,
            Deadlines deadlines,
            LongSupplier wallMillis,
            Pace scans,
            Verifications verifications,
            Sweep sweep,
            RepairMetrics metrics,
            long boot) {
        this.store = store;
        this.replica = replica;
        this.epoch = epoch;
        this.deadlines = deadlines;
        this.wallMillis = wallMillis;
        this.scans = scans;
        this.verifications = verifications;
        this.sweep = sweep;
        this.metrics = metrics;
        this.boot = boot;
    }

    /** As the store's, at the rate of scans. */
    Mono<Scanned> scan(KeyRange range, CellVisitor visitor) {
        return scans.ready()
                .then(Mono.defer(() -> store.scan(range, ScanLimit.PAGE, visitor)))
                .doOnNext(scanned -> {
                    scans.spend(scanned.bytes());
                    metrics.scanned(scanned.bytes());
                });
    }

    /** What this process drew when it started. */
    long boot() {
        return boot;
    }

    /** How far behind its rate the scanning is, in nanoseconds. */
    long scanDebtNanos() {
        return scans.debtNanos();
    }

    /** The trees of what a scope counts, whatever the copies. */
    Mono<TreesByCopies> trees(Scope scope, long seed) {
        return Mono.defer(() -> {
            TreesByCopies trees = new TreesByCopies(new CellHash(seed));
            Scope any = scope.above(0);
            return Page.all(start -> scan(new KeyRange(scope.partition(), start.after(), null), (key, cell) -> {
                                if (any.counts(cell)) {
                                    trees.add(key, cell);
                                }
                                sweep.saw(any, cell);
                                return true;
                            })
                            .map(ScannedPage::new))
                    .then(Mono.just(trees));
        });
    }

    private record ScannedPage(Scanned scanned) implements Page {
        @Override
        public @Nullable Key last() {
            return scanned.last();
        }

        @Override
        public long bytes() {
            return scanned.bytes();
        }
    }

    @Override
    public Mono<TreePage> tree(TreeCall call) {
        return Mono.defer(() -> {
            TreeWalk walk = new TreeWalk(call);
            return scan(new KeyRange(call.scope().partition(), call.after(), null), walk)
                    .map(walk::page);
        });
    }

    private final class TreeWalk implements CellVisitor {
        private final Scope scope;
        private final MerkleTree tree;
        private final CellHash hash;
        private final int rank;
        private final long droppable; // Now: what it is given meanwhile it may have lacked.
        private long cells;

        TreeWalk(TreeCall call) {
            this.scope = call.scope();
            this.tree = new MerkleTree(call.shape().leaves());
            this.hash = new CellHash(call.shape().seed());
            this.rank = call.rank();
            this.droppable = verifications.droppableBefore(call.scope().partition());
        }

        @Override
        public boolean visit(Key key, Cell cell) {
            if (scope.counts(cell) || scope.isStray(rank, cell.copies(), cell.version(), cell.endMillis())) {
                tree.add(CellHash.leafOf(key, tree.leaves()), hash.of(key, cell));
                cells++;
            }
            sweep.saw(scope, cell);
            return true;
        }

        TreePage page(Scanned scanned) {
            return new TreePage(tree, cells, scanned.bytes(), boot, droppable, scanned.last());
        }
    }

    @Override
    public Mono<ListPage> list(ListCall call) {
        return Mono.defer(() -> {
            CellHash hash = new CellHash(call.shape().seed());
            PageItems<Listed> page = new PageItems<>(RepairProtocol::bytesOf);
            return scan(
                            new KeyRange(call.partition(), call.after(), null),
                            (key, cell) -> call.leaves()
                                            .get(CellHash.leafOf(
                                                    key, call.shape().leaves()))
                                    ? page.add(key, Listed.of(key, cell, hash))
                                    : page.skip(key))
                    .map(scanned -> new ListPage(page.items(), page.bytes(), page.last(scanned)));
        });
    }

    @Override
    public Mono<CellPage> stream(StreamCall call) {
        return Mono.defer(() -> {
            PageItems<KeyedCell> page = new PageItems<>(KeyedCell::bytes);
            return scan(
                            new KeyRange(call.scope().partition(), call.after(), null),
                            (key, cell) -> call.scope().counts(cell)
                                    ? page.add(key, new KeyedCell(key, cell))
                                    : page.skip(key))
                    .map(scanned -> new CellPage(page.items(), page.bytes(), page.last(scanned)));
        });
    }

    /** One after the other: in the queue of readers a client waits for one of these at most. */
    @Override
    public Mono<CellPage> cells(CellsCall call) {
        return Mono.defer(() -> {
            PageItems<KeyedCell> page = new PageItems<>(KeyedCell::bytes);
            return Flux.fromIterable(call.keys())
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

    @Override
    public Mono<Void> store(StoreCall call) {
        return store(call.partition(), call.cells());
    }

    /**
     * Stores cells as writes would. Those that find the queue full follow one after the other: were all refused for them, the same few would be stored each time and the
     * rest never.
     */
    Mono<Void> store(int partition, List<KeyedCell> cells) {
        return Flux.fromIterable(cells)
                .doOnNext(item -> verifications.lacked(partition, item.cell().endMillis()))
                .flatMap(this::storeOrReturn, WRITES_AT_ONCE)
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(item -> patient(item, FULL_PAUSES_MAX))
                .then();
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
        return replica.write(item.key(), item.cell(), epoch.getAsLong());
    }

    private static boolean isOverloaded(WriteReply reply) {
        return reply instanceof ReplicaFailure failure && failure.reason() == Reason.OVERLOADED;
    }

    private static void requireStored(WriteReply reply) {
        if (reply instanceof ReplicaFailure failure) {
            throw new CopyUnavailableException(failure);
        }
    }

    @Override
    public Mono<Void> verified(VerifiedCall call) {
        return Mono.fromRunnable(() -> {
            if (call.boot() != boot) {
                throw new CopyUnavailableException(new ReplicaFailure(
                        replica.member(),
                        ReplicaFailure.Reason.REFUSED,
                        "what was compared is that of a former process: this node was started again meanwhile"));
            }
            long now = wallMillis.getAsLong();
            if (call.whole()) {
                verifications.regained(call.partition(), now);
            }
            if (call.at() != Verifications.NEVER) {
                verifications.note(call, now);
                sweep.begin(call.partition(), verifications.bounded(call.partition(), call.droppableBefore(), now));
            }
        });
    }
}
