package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AskedQuorumTest {
    /** From so many owners to so many, of a replication factor of 3. */
    private static ClusterView change(int owners, int next) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < Math.max(owners, next); i++) {
            MemberState state =
                    i >= owners ? MemberState.JOINING : i >= next ? MemberState.LEAVING : MemberState.ACTIVE;
            members.add(Topologies.member("n" + i, state));
        }
        return ClusterView.of("n0", Topologies.of(2, members));
    }

    @ParameterizedTest(name = "{0} -> {1} members, ack {2}, from {3}, policy {4}")
    @CsvSource({
        "1, 3, 0, 0, 0, 1/1, 2/3",
        "2, 3, 0, 0, 0, 2/2, 2/3",
        "3, 2, 0, 0, 0, 2/3, 2/2",
        "3, 5, 0, 0, 0, 2/3, 2/3",
        // All stays all, and what the policy says stays that.
        "1, 3, 0, 0, 3, 1/1, 3/3",
        "2, 3, 0, 0, 3, 2/2, 3/3",
        "1, 3, 0, 0, 1, 1/1, 1/3",
        // What was said is meant.
        "2, 3, 2, 2, 0, 2/2, 2/2",
        "2, 3, 0, 2, 0, 2/2, 2/2",
        "1, 3, 1, 1, 3, 1/1, 1/1",
        "2, 3, 2, 0, 0, 2/2, 2/3",
        "5, 3, 3, 4, 0, 3/4, 3/3",
        "5, 3, 5, 5, 0, 5/5, 3/3",
        "3, 2, 1, 3, 0, 1/3, 1/2"
    })
    void changeNeedsAQuorumOfEither(
            int owners, int next, int ack, int from, int ackPolicy, String quorum, String others) {
        AskedQuorum asked = new AskedQuorum(ack, from, ackPolicy);

        assertThat(asked.of(change(owners, next))).hasToString(quorum);
        assertThat(asked.ofOthers(change(owners, next))).hasToString(others);
    }

    /** Who joins is to be given theirs, and who asked for one gets no more. */
    @ParameterizedTest(name = "{0} members, from {1}")
    @CsvSource({"1, 0, 3", "2, 0, 3", "3, 0, 3", "5, 0, 3", "1, 1, 1", "2, 1, 1", "2, 2, 2", "5, 4, 4"})
    void copiesAreThoseSaidOrTheFactorHoweverFewOwnersThereAre(int owners, int from, int copies) {
        assertThat(new AskedQuorum(0, from, 0).copies(change(owners, owners))).isEqualTo(copies);
    }
}
