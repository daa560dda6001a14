package dev.kvorum.node.copy;

import com.dynatrace.hash4j.hashing.HashValue128;
import dev.kvorum.node.replica.MessageReader;
import dev.kvorum.node.replica.MessageWriter;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The hashes of a set of cells, by leaf: two sets are equal if their trees are, and differ in no other leaf than where these do.
 *
 * <p>A leaf is the sum of the hashes of its cells, each half of 64 bits for itself. So cells may come in any order and in parts, which matters as a
 * partition is read in the order of its keys and a page at a time. A set that is wrongly taken for another must have the same sum under a seed
 * that nobody knew before: 1 in 2^128.
 *
 * <p>It has two levels, the leaves and all of them together: the leaves of one partition go into one message, and more levels would save bytes only
 * where trees differ, at a round trip each.
 *
 * <p>Sources: Merkle, "A digital signature based on a conventional encryption function" (1987); Bellare and Micciancio, "A new paradigm for
 * collision-free hashing" (1997) for hashing sets by sums.
 */
public final class MerkleTree {
    /** The most leaves there are: 64 KiB. */
    static final int LEAVES_MAX = 1 << 12;

    /** Cells that share a leaf, about: as many are listed for one that differs. */
    private static final int CELLS_PER_LEAF = 16;

    private final long[] sums; // Two for each leaf.

    /** @param leaves a power of two, 1 to {@value #LEAVES_MAX} */
    MerkleTree(int leaves) {
        if (!isLeaves(leaves)) {
            throw new IllegalArgumentException(leaves + " leaves are no power of two up to " + LEAVES_MAX);
        }
        this.sums = new long[2 * leaves];
    }

    static boolean isLeaves(int leaves) {
        return Integer.bitCount(leaves) == 1 && leaves > 0 && leaves <= LEAVES_MAX;
    }

    /** How many leaves suit so many cells. */
    public static int leavesFor(long cells) {
        long wanted = Math.clamp(cells / CELLS_PER_LEAF, 1, LEAVES_MAX);
        return (int) Long.highestOneBit(wanted);
    }

    int leaves() {
        return sums.length / 2;
    }

    public void add(int leaf, HashValue128 hash) {
        sums[2 * leaf] += hash.getMostSignificantBits();
        sums[2 * leaf + 1] += hash.getLeastSignificantBits();
    }

    /** Adds a tree of as many leaves or more, whose leaves fall together. */
    public void add(MerkleTree other) {
        for (int i = 0; i < other.sums.length; i++) {
            sums[i & (sums.length - 1)] += other.sums[i];
        }
    }

    /** The leaves in which it is not the same as another of as many. */
    public BitSet differing(MerkleTree other) {
        if (other.sums.length != sums.length) {
            throw new IllegalArgumentException(leaves() + " leaves can't be compared with " + other.leaves());
        }
        BitSet differing = new BitSet(leaves());
        for (int leaf = 0; leaf < leaves(); leaf++) {
            if (sums[2 * leaf] != other.sums[2 * leaf] || sums[2 * leaf + 1] != other.sums[2 * leaf + 1]) {
                differing.set(leaf);
            }
        }
        return differing;
    }

    MessageWriter writeTo(MessageWriter out) {
        for (long sum : sums) {
            out.putLong(sum);
        }
        return out;
    }

    /** Reads a tree of so many leaves. */
    static MerkleTree readFrom(MessageReader in, int leaves) {
        MerkleTree tree = new MerkleTree(leaves);
        for (int i = 0; i < tree.sums.length; i++) {
            tree.sums[i] = in.longNumber();
        }
        return tree;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MerkleTree tree && Arrays.equals(sums, tree.sums);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sums);
    }
}
