package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The trees of one partition for any two ranks, from a single walk through it: cells are told apart by their copies, of which there are few kinds,
 * and the tree of those with more than so many is a sum.
 */
public final class TreesByCopies {
    private final NavigableMap<Integer, Kind> kinds = new TreeMap<>();
    private final CellHash hash;

    TreesByCopies(CellHash hash) {
        this.hash = hash;
    }

    void add(Key key, Cell cell) {
        // No rank is beyond that, so those with more are of one kind: whatever is on the disk, memory is bounded.
        Kind kind = kinds.computeIfAbsent(Math.min(cell.copies(), Cell.COPIES_MAX), copies -> new Kind());
        kind.tree.add(CellHash.leafOf(key, MerkleTree.LEAVES_MAX), hash.of(key, cell));
        kind.cells++;
    }

    /** How many cells have more copies than that. */
    public long cellsAbove(int copies) {
        return above(copies).values().stream().mapToLong(kind -> kind.cells).sum();
    }

    /** The tree of those cells, and of the strays of a rank. */
    public MerkleTree treeAbove(int copies, int rank, int leaves) {
        MerkleTree tree = new MerkleTree(leaves);
        above(copies).values().forEach(kind -> tree.add(kind.tree));
        kinds.headMap(rank, true).values().forEach(kind -> tree.add(kind.tree));
        return tree;
    }

    private Map<Integer, Kind> above(int copies) {
        return kinds.tailMap(copies, false);
    }

    private static final class Kind {
        final MerkleTree tree = new MerkleTree(MerkleTree.LEAVES_MAX);
        long cells;
    }
}
