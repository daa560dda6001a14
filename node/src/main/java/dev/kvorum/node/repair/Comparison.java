package dev.kvorum.node.repair;

import dev.kvorum.node.copy.ListCall;
import dev.kvorum.node.copy.MerkleTree;
import dev.kvorum.node.copy.Page;
import dev.kvorum.node.copy.PartitionCopy;
import dev.kvorum.node.copy.Scope;
import dev.kvorum.node.copy.Shape;
import dev.kvorum.node.copy.Strays;
import dev.kvorum.node.copy.TreeCall;
import dev.kvorum.node.copy.TreesByCopies;
import java.util.BitSet;
import reactor.core.publisher.Mono;

/**
 * Compares this node's copy of a partition with another's, by their trees.
 *
 * @param scope what both must hold
 * @param strays what else counts on either side; no more copies than those that the scope leaves out
 * @param seed of the trees
 */
record Comparison(OwnSide own, PartitionCopy remote, Scope scope, Strays strays, long seed) {
    /**
     * Finds where they differ and exchanges what is there, in both ways.
     *
     * @param trees of what this node holds
     */
    Mono<Compared> reconcile(TreesByCopies trees) {
        return exchange(trees, scope, Join.Way.BOTH);
    }

    /** The same one way only: this node gets what the other has. */
    Mono<Exchanged> pull(TreesByCopies trees, Scope wanted) {
        return exchange(trees, wanted, Join.Way.PULL).map(Compared::exchanged);
    }

    /** The same the other way only: the other gets what this node has. */
    Mono<Exchanged> push(TreesByCopies trees) {
        return exchange(trees, scope, Join.Way.PUSH).map(Compared::exchanged);
    }

    /**
     * What came of it.
     *
     * @param boot which process of the other it was when the comparison began
     * @param droppableBefore what ended before that millisecond since 1970 the other was taken to hold for the grace period
     */
    record Compared(Exchanged exchanged, long boot, long droppableBefore) {}

    private Mono<Compared> exchange(TreesByCopies trees, Scope given, Join.Way way) {
        Shape shape = shapeFor(trees);
        return theirs(shape).flatMap(theirs -> {
            BitSet leaves = trees.treeAbove(scope.copiesAbove(), strays.here(), shape.leaves())
                    .differing(theirs.tree());
            Mono<Exchanged> exchanged = leaves.isEmpty()
                    ? Mono.just(Exchanged.NOTHING)
                    : exchange(
                            new Join(
                                    given,
                                    strays,
                                    shape,
                                    leaves,
                                    way,
                                    own.aheadFrom().getAsLong()),
                            shape,
                            leaves);
            return exchanged.map(done -> new Compared(done, theirs.boot(), theirs.droppableBefore()));
        });
    }

    private Shape shapeFor(TreesByCopies trees) {
        return new Shape(MerkleTree.leavesFor(trees.cellsAbove(scope.copiesAbove())), seed);
    }

    private Mono<Exchanged> exchange(Join join, Shape shape, BitSet leaves) {
        ListCall first = new ListCall(scope.partition(), shape, leaves, null);
        return new Exchange(own.copy(), remote, first, join, own.pace()).carryOut();
    }

    private Mono<Theirs> theirs(Shape shape) {
        return Page.all(start -> remote.tree(new TreeCall(scope, shape, strays.there(), start.after())))
                .map(page -> new Theirs(page.tree(), page.boot(), page.droppableBefore()))
                .reduce(Theirs::plus);
    }

    private record Theirs(MerkleTree tree, long boot, long droppableBefore) {
        /** Whichever process it was in the beginning: what the next one holds is not what was compared first. */
        Theirs plus(Theirs next) {
            tree.add(next.tree);
            return new Theirs(tree, boot, Math.min(droppableBefore, next.droppableBefore));
        }
    }
}
