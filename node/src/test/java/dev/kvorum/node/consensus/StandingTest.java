package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandingTest {
    private static final Key KEY = Key.of("cart-7");

    private static Version at(long time) {
        return new Version(time << 16, 5);
    }

    private static Cell cell(long time) {
        return Draft.ofValue(new byte[] {(byte) time}).stamp(KEY, at(time), 3);
    }

    private static Vote promised(String member, Proposal accepted) {
        return new Vote.Promised(member, accepted, null);
    }

    @Test
    void registerThatNobodyKnowsHasNoState() {
        Standing standing =
                Standing.of(List.of(new Vote.Promised("n1", null, null), new Vote.Promised("n2", null, null)));

        assertThat(standing.open()).isNull();
        assertThat(standing.state()).isNull();
        assertThat(standing.version()).isEqualTo(Version.NONE);
        assertThat(standing.line()).containsExactly(Version.NONE);
    }

    @Test
    void proposalOfTheGreatestBallotIsOpenWhoeverTellsOfIt() {
        Proposal earlier = Proposal.of(at(8), cell(4), List.of());
        Proposal later = Proposal.of(at(9), cell(3), List.of(at(2)));

        Standing one = Standing.of(List.of(promised("n1", earlier), promised("n2", later)));
        Standing other = Standing.of(
                List.of(promised("n2", later), promised("n1", earlier), new Vote.Promised("n3", null, null)));

        assertThat(one.open()).isEqualTo(later);
        assertThat(other.open()).isEqualTo(later);
        assertThat(one.state()).isEqualTo(cell(3));
        assertThat(one.line()).containsExactly(at(3), at(2));
    }

    @Test
    void cellAsNewAsTheProposalClosesIt() {
        Proposal proposal = Proposal.of(at(9), cell(3), List.of(at(2), at(1)));

        Standing standing =
                Standing.of(List.of(promised("n1", proposal), new Vote.Promised("n2", null, cell(3).head())));

        assertThat(standing.open()).isNull();
        assertThat(standing.state()).isEqualTo(cell(3).head());
        assertThat(standing.line()).containsExactly(at(3), at(2), at(1));
    }

    @Test
    void newestCellIsTheStateAndHasNoLineageOfAnother() {
        Proposal proposal = Proposal.of(at(9), cell(3), List.of(at(2)));

        Standing standing = Standing.of(List.of(
                new Vote.Promised("n1", proposal, cell(3).head()),
                new Vote.Promised("n2", null, cell(7).head()),
                new Vote.Promised("n3", null, cell(5).head())));

        assertThat(standing.open()).isNull();
        assertThat(standing.version()).isEqualTo(at(7));
        assertThat(standing.line()).containsExactly(at(7));
    }

    @Test
    void proposalWhoseCellIsKnownElsewhereIsNotOpen() {
        Proposal closed = Proposal.of(at(9), cell(3), List.of()).withoutCell();

        Standing standing = Standing.of(List.of(promised("n1", closed)));

        assertThat(standing.open()).isNull();
        assertThat(standing.state()).isNull();
    }

    @Test
    void otherVotesTellNothing() {
        Standing standing = Standing.of(List.of(new Vote.Outbid("n1", at(9)), new Vote.Done("n2")));

        assertThat(standing.state()).isNull();
    }

    @Test
    void lineageGrowsAtItsHeadAndIsBounded() {
        List<Version> before = List.of();
        for (int time = 1; time <= Proposal.LINEAGE_MAX + 3; time++) {
            before = Proposal.lineageBehind(at(time), before);
        }

        assertThat(before)
                .hasSize(Proposal.LINEAGE_MAX)
                .startsWith(at(19), at(18))
                .endsWith(at(4));
    }
}
