package dev.kvorum.node.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.HashValue128;
import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.node.verification.VerifiedCall;
import dev.kvorum.topology.Topology;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RepairProtocolTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Cell CELL = Draft.ofValue(new byte[] {1, 2, 3}).stamp(KEY, new Version(77, 1), 3);
    private static final Scope SCOPE = new Scope(65_535, 2, Long.MAX_VALUE, Long.MIN_VALUE);
    private static final Shape SHAPE = new Shape(64, -5);

    @Test
    void callsAreReadAsTheyWereWritten() {
        BitSet leaves = new BitSet();
        leaves.set(3);
        leaves.set(63);
        for (Key after : Arrays.asList(null, KEY)) {
            TreeCall tree = new TreeCall(SCOPE, SHAPE, 2, after);
            ListCall list = new ListCall(7, SHAPE, leaves, after);
            StreamCall stream = new StreamCall(SCOPE, after);

            assertThat(RepairProtocol.decodeTreeCall(RepairProtocol.encode(tree)))
                    .isEqualTo(tree);
            assertThat(RepairProtocol.decodeListCall(RepairProtocol.encode(list)))
                    .isEqualTo(list);
            assertThat(RepairProtocol.decodeStreamCall(RepairProtocol.encode(stream)))
                    .isEqualTo(stream);
        }
        CellsCall cells = new CellsCall(7, List.of(KEY, Key.of("ü")));
        StoreCall store = new StoreCall(7, List.of(new KeyedCell(KEY, CELL)));
        VerifiedCall verified = new VerifiedCall(7, 5, true, 1, Verifications.NEVER);
        assertThat(RepairProtocol.decodeCellsCall(RepairProtocol.encode(cells))).isEqualTo(cells);
        assertThat(RepairProtocol.decodeStoreCall(RepairProtocol.encode(store))).isEqualTo(store);
        assertThat(RepairProtocol.decodeVerifiedCall(RepairProtocol.encode(verified)))
                .isEqualTo(verified);
    }

    @Test
    void repliesAreReadAsTheyWereWritten() {
        MerkleTree leaves = new MerkleTree(64);
        leaves.add(9, new HashValue128(1, -2));
        for (Key last : Arrays.asList(null, KEY)) {
            TreePage tree = new TreePage(leaves, 5, 900, 7, 11, last);
            ListPage list = new ListPage(List.of(Listed.of(KEY, CELL, new CellHash(1))), 0, last);
            CellPage cells = new CellPage(List.of(new KeyedCell(KEY, CELL)), 0, last);

            assertThat(RepairProtocol.decodeTreePage(RepairProtocol.encode(tree), 64))
                    .isEqualTo(tree);
            assertThat(RepairProtocol.decodeListPage(RepairProtocol.encode(list)))
                    .returns(list.listed(), ListPage::listed)
                    .returns(last, ListPage::last);
            assertThat(RepairProtocol.decodeCellPage(RepairProtocol.encode(cells)))
                    .returns(cells.cells(), CellPage::cells)
                    .returns(last, CellPage::last);
        }
    }

    /** Each number of copies has a tree of its own, of 64 KiB. */
    @Test
    void cellOfMoreCopiesThanThereCanBeMembersIsNotTakenButReadWhereItIs() {
        assertThat(Cell.COPIES_MAX).isEqualTo(Topology.MEMBERS_MAX);
        KeyedCell most = new KeyedCell(KEY, CELL.anew(KEY, CELL.version(), Cell.COPIES_MAX));
        KeyedCell more = new KeyedCell(KEY, CELL.anew(KEY, CELL.version(), Cell.COPIES_MAX + 1));
        byte[] call = RepairProtocol.encode(new StoreCall(7, List.of(more)));

        assertThat(RepairProtocol.decodeStoreCall(RepairProtocol.encode(new StoreCall(7, List.of(most)))))
                .isEqualTo(new StoreCall(7, List.of(most)));
        assertThatThrownBy(() -> RepairProtocol.decodeStoreCall(call))
                .isInstanceOf(MalformedCallException.class)
                .hasMessageContaining("copies 256 are more than a cluster can have, 255");
        assertThat(RepairProtocol.decodeCellPage(RepairProtocol.encode(new CellPage(List.of(more), 0, null)))
                        .cells())
                .containsExactly(more);
        TreesByCopies trees = new TreesByCopies(new CellHash(1));
        for (int copies = 200; copies < 60_000; copies++) {
            trees.add(KEY, CELL.anew(KEY, CELL.version(), copies));
        }
        assertThat(trees.cellsAbove(254)).isEqualTo(60_000 - 255);
    }
}
