package dev.kvorum.node.repair;

import java.util.BitSet;
import reactor.core.publisher.Mono;

/**
 * Compares this node's copy of a partition with another's, by their trees.
 *
 * @param scope what both must hold
 * @param seed of the trees
 */
record Comparison(LocalCopy local, PartitionCopy remote, Scope scope, long seed, Pace pace) {
    /**
     * Finds where they differ and exchanges what is there, in both ways.
     *
     * @param trees of what this node holds
     */
    Mono<Exchanged> reconcile(TreesByCopies trees) {
        return exchange(trees, scope, Join.Way.BOTH);
    }

    /** The same one way only: this node gets what the other has. */
    Mono<Exchanged> pull(TreesByCopies trees, Scope wanted) {
        return exchange(trees, wanted, Join.Way.PULL);
    }

    /** The same the other way only: the other gets what this node has. */
    Mono<Exchanged> push(TreesByCopies trees) {
        return exchange(trees, scope, Join.Way.PUSH);
    }

    private Mono<Exchanged> exchange(TreesByCopies trees, Scope given, Join.Way way) {
        Shape shape = shapeFor(trees);
        return differing(trees, shape)
                .flatMap(leaves -> leaves.isEmpty()
                        ? Mono.just(Exchanged.NOTHING)
                        : exchange(new Join(given, shape, leaves, way), shape, leaves));
    }

    private Shape shapeFor(TreesByCopies trees) {
        return new Shape(MerkleTree.leavesFor(trees.cellsAbove(scope.copiesAbove())), seed);
    }

    private Mono<Exchanged> exchange(Join join, Shape shape, BitSet leaves) {
        ListCall first = new ListCall(scope.partition(), shape, leaves, null);
        return new Exchange(local, remote, first, join, pace).carryOut();
    }

    private Mono<BitSet> differing(TreesByCopies trees, Shape shape) {
        return Mono.defer(() -> {
            MerkleTree theirs = new MerkleTree(shape.leaves());
            return Page.all(start -> remote.tree(new TreeCall(scope, shape, start.after())))
                    .doOnNext(page -> theirs.add(page.tree()))
                    .then(Mono.fromSupplier(() ->
                            trees.treeAbove(scope.copiesAbove(), shape.leaves()).differing(theirs)));
        });
    }
}
