package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.cell.Version;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RowVersionsTest {
    private static final Key KEY = Key.of("key");

    private static Version at(long time) {
        return new Version(time, 7);
    }

    private static Version back(Version version) {
        return version.hybridTime() >= 1000 ? new Version(version.hybridTime() - 900, version.author()) : version;
    }

    @Test
    void allVersionsOfARowAreReplacedAndItsCellStaysIntact() {
        Cell cell = Draft.ofValue(new byte[] {1, 2}).stamp(KEY, at(1003), 2);
        Proposal proposal = new Proposal(at(1004), at(1003), cell, List.of(at(1001), at(50)));
        byte[] row = new Acceptance(at(1005), 8, proposal).encode();

        Acceptance replaced = Acceptance.decode(RowVersions.replaced(KEY, row, RowVersionsTest::back));

        Proposal accepted = Objects.requireNonNull(replaced.accepted());
        assertThat(replaced.promised()).isEqualTo(at(105));
        assertThat(replaced.epoch()).isEqualTo(8);
        assertThat(accepted.ballot()).isEqualTo(at(104));
        assertThat(accepted.version()).isEqualTo(at(103));
        assertThat(accepted.lineage()).containsExactly(at(101), at(50));
        Cell moved = Objects.requireNonNull(accepted.cell()).requireIntact(KEY);
        assertThat(moved.version()).isEqualTo(at(103));
        assertThat(moved.value()).isEqualTo(cell.value());
        assertThat(moved.copies()).isEqualTo(2);
    }

    @Test
    void promiseAloneIsReplacedAndARowOfThePastStaysByteForByte() {
        byte[] promise = new Acceptance(at(1005), 0, null).encode();
        byte[] past = new Acceptance(at(5), 3, new Proposal(at(4), at(3), null, List.of())).encode();

        assertThat(Acceptance.decode(RowVersions.replaced(KEY, promise, RowVersionsTest::back))
                        .promised())
                .isEqualTo(at(105));
        assertThat(RowVersions.replaced(KEY, past, RowVersionsTest::back)).isEqualTo(past);
    }

    /** Else a new checksum would make it look right. */
    @Test
    void damagedCellAndWhatIsNoRowAreRefused() {
        Cell cell = Draft.ofValue(new byte[] {1, 2}).stamp(KEY, at(1003), 2);
        cell.bytes()[Cell.HEADER_BYTES] ^= 1;
        byte[] row = new Acceptance(at(1005), 8, new Proposal(at(1004), at(1003), cell, List.of())).encode();

        assertThatThrownBy(() -> RowVersions.replaced(KEY, row, RowVersionsTest::back))
                .isInstanceOf(MalformedCellException.class);
        assertThatThrownBy(() -> RowVersions.replaced(KEY, new byte[] {1}, RowVersionsTest::back))
                .isInstanceOf(MalformedCellException.class);
    }
}
