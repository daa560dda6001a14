package dev.kvorum.node.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MerkleTreeTest {
    private static final Key KEY = Key.of("cart-7");

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50);
    }

    private static Cell cell(Random random) {
        byte[] value = new byte[random.nextInt(40)];
        random.nextBytes(value);
        Version version = new Version(1 + random.nextInt(1000), random.nextInt(3));
        return random.nextInt(5) == 0
                ? Draft.tombstone().stamp(KEY, version, 3)
                : Draft.ofValue(value).stamp(KEY, version, 1 + random.nextInt(3));
    }

    private static Map<Key, Cell> cells(Random random, int count) {
        Map<Key, Cell> cells = new HashMap<>();
        for (int i = 0; i < count; i++) {
            cells.put(Key.of("key-" + random.nextInt(1_000_000)), cell(random));
        }
        return cells;
    }

    private static MerkleTree tree(Map<Key, Cell> cells, int leaves, long seed) {
        MerkleTree tree = new MerkleTree(leaves);
        CellHash hash = new CellHash(seed);
        cells.forEach((key, cell) -> tree.add(CellHash.leafOf(key, leaves), hash.of(key, cell)));
        return tree;
    }

    /** Added, removed and overwritten at random: exactly the leaves in which something differs are found. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void leavesThatDifferAreFoundAndNoOthers(long seed) {
        Random random = new Random(seed);
        int leaves = 1 << random.nextInt(13);
        Map<Key, Cell> here = cells(random, random.nextInt(2000));
        Map<Key, Cell> there = new HashMap<>(here);
        List<Key> keys = new ArrayList<>(here.keySet());
        Collections.shuffle(keys, random);
        for (Key key : keys.subList(0, keys.isEmpty() ? 0 : random.nextInt(keys.size()) / 10)) {
            if (random.nextBoolean()) {
                there.remove(key);
            } else {
                there.put(key, cell(random));
            }
        }
        there.putAll(cells(random, random.nextInt(20)));

        BitSet differing = tree(here, leaves, seed).differing(tree(there, leaves, seed));

        Set<Key> all = new HashSet<>(here.keySet());
        all.addAll(there.keySet());
        BitSet expected = new BitSet();
        all.stream()
                .filter(key -> !java.util.Objects.equals(here.get(key), there.get(key)))
                .forEach(key -> expected.set(CellHash.leafOf(key, leaves)));
        assertThat(differing).isEqualTo(expected);
    }

    /** One bit of one cell, in any place. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void setsThatDifferInOneBitAreNeverTakenForEqual(long seed) {
        Random random = new Random(seed);
        Map<Key, Cell> here = cells(random, 50);
        MerkleTree tree = tree(here, 1, seed);
        for (Key key : here.keySet()) {
            Cell cell = here.get(key);
            byte[] bytes = cell.bytes().clone();
            int bit = 8 + random.nextInt(15 * 8); // Of the version, so that it stays a cell.
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            Map<Key, Cell> there = new HashMap<>(here);
            there.put(key, Cell.decode(bytes));

            assertThat(tree(there, 1, seed)).isNotEqualTo(tree);
        }
    }

    @Test
    void cellsThatHaveChangedTheirKeysAreNotTheSameSet() {
        Cell one = Draft.ofValue(new byte[] {1}).stamp(KEY, new Version(1, 1), 3);
        Cell other = Draft.ofValue(new byte[] {2}).stamp(KEY, new Version(1, 1), 3);

        assertThat(tree(Map.of(Key.of("a"), one, Key.of("b"), other), 1, 7))
                .isNotEqualTo(tree(Map.of(Key.of("a"), other, Key.of("b"), one), 1, 7));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void orderAndPartsDoNotMatter(long seed) {
        Random random = new Random(seed);
        Map<Key, Cell> all = cells(random, 500);
        Map<Key, Cell> part = new HashMap<>();
        Map<Key, Cell> rest = new HashMap<>();
        all.forEach((key, cell) -> (random.nextBoolean() ? part : rest).put(key, cell));

        MerkleTree sum = tree(part, 64, seed);
        sum.add(tree(rest, 64, seed));

        assertThat(sum).isEqualTo(tree(all, 64, seed));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 2048})
    void treeOfManyLeavesFallsTogetherIntoOneOfFew(int leaves) {
        Map<Key, Cell> all = cells(new Random(7), 500);

        MerkleTree folded = new MerkleTree(leaves);
        folded.add(tree(all, MerkleTree.LEAVES_MAX, 7));

        assertThat(folded).isEqualTo(tree(all, leaves, 7));
    }

    @Test
    void anotherSeedIsAnotherTree() {
        Map<Key, Cell> all = cells(new Random(7), 5);

        assertThat(tree(all, 1, 1)).isNotEqualTo(tree(all, 1, 2));
    }

    @Test
    void leavesGrowWithTheCellsUpToABound() {
        assertThat(List.of(0L, 1L, 31L, 32L, 1000L, 1_000_000_000L))
                .map(MerkleTree::leavesFor)
                .containsExactly(1, 1, 1, 2, 32, MerkleTree.LEAVES_MAX);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 3, 8192})
    void otherNumbersOfLeavesAreRefused(int leaves) {
        assertThatThrownBy(() -> new MerkleTree(leaves)).isInstanceOf(IllegalArgumentException.class);
    }
}
