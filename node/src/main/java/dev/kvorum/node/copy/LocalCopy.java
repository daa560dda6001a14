package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.Scanned;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.node.verification.VerifiedCall;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** This node's own copy. All its scans share one rate. */
public final class LocalCopy implements PartitionCopy {
    private final Scans scans;
    private final LocalCells cells;
    private final Sweep sweep;
    private final Verifications verifications;
    private final LongSupplier wallMillis;
    private final long boot;

    /**
     * @param wallMillis milliseconds since 1970
     * @param boot drawn by chance, so that no two processes of this node have the same
     */
    public LocalCopy(
            Scans scans,
            LocalCells cells,
            Sweep sweep,
            Verifications verifications,
            LongSupplier wallMillis,
            long boot) {
        this.scans = scans;
        this.cells = cells;
        this.sweep = sweep;
        this.verifications = verifications;
        this.wallMillis = wallMillis;
        this.boot = boot;
    }

    /** As {@link Scans#page}. */
    public Mono<Scanned> scan(KeyRange range, CellVisitor visitor) {
        return scans.page(range, visitor);
    }

    /** What this process drew when it started. */
    public long boot() {
        return boot;
    }

    /** How far behind its rate the scanning is, in nanoseconds. */
    public long scanDebtNanos() {
        return scans.debtNanos();
    }

    /** The trees of what a scope counts, whatever the copies. */
    public Mono<TreesByCopies> trees(Scope scope, long seed) {
        return Mono.defer(() -> {
            verifications.walkBegins(scope.partition());
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
            if (call.after() == null) {
                verifications.walkBegins(call.scope().partition());
            }
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

    @Override
    public Mono<CellPage> cells(CellsCall call) {
        return cells.page(call.keys());
    }

    @Override
    public Mono<Void> store(StoreCall call) {
        return store(call.partition(), call.cells());
    }

    public Mono<Void> store(int partition, List<KeyedCell> items) {
        return cells.store(partition, items);
    }

    @Override
    public Mono<Void> verified(VerifiedCall call) {
        return Mono.fromRunnable(() -> {
            if (call.boot() != boot) {
                throw new CopyUnavailableException(new ReplicaFailure(
                        cells.member(),
                        ReplicaFailure.Reason.REFUSED,
                        "what was compared is that of a former process: this node was started again meanwhile"));
            }
            long now = wallMillis.getAsLong();
            if (call.whole()) {
                verifications.regained(call.partition());
            }
            if (call.at() != Verifications.NEVER) {
                verifications.note(call, now);
                sweep.begin(call.partition(), verifications.bounded(call.partition(), call.droppableBefore(), now));
            }
        });
    }
}
