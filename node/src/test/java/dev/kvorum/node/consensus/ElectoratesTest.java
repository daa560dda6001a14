package dev.kvorum.node.consensus;

import static dev.kvorum.node.consensus.RegisterCluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.JointQuorum;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ElectoratesTest {
    private static RegisterCluster.Node node(Topology topology) {
        return new RegisterCluster(1, topology, List.of("n1")).node("n1");
    }

    private static Electorate electorate(Topology topology, Key key) {
        return node(topology).parts.electorates().of(key);
    }

    private static List<String> ids(Electorate electorate) {
        return electorate.voters().stream().map(Voter::member).toList();
    }

    private static Topology changing(MemberState... states) {
        return Topologies.of(
                7,
                IntStream.range(0, states.length)
                        .mapToObj(i -> Topologies.member("n" + (i + 1), states[i]))
                        .toList());
    }

    @Test
    void majorityOfTheOwnersDecides() {
        Electorate electorate = electorate(Topologies.of(7, "n1", "n2", "n3"), KEY);

        assertThat(ids(electorate)).containsExactlyInAnyOrder("n1", "n2", "n3");
        assertThat(electorate.quorum()).isEqualTo(new Quorum(2, 3));
        assertThat(electorate.joint()).isNull();
        assertThat(electorate.copies()).isEqualTo(3);
        assertThat(electorate.epoch()).isEqualTo(7);
    }

    @Test
    void whileOwnersChangeBothMajoritiesDecide() {
        Electorate electorate = electorate(
                changing(MemberState.ACTIVE, MemberState.ACTIVE, MemberState.LEAVING, MemberState.JOINING), KEY);

        assertThat(ids(electorate)).containsExactlyInAnyOrder("n1", "n2", "n3", "n4");
        JointQuorum joint = Objects.requireNonNull(electorate.joint());
        assertThat(joint.replicas()).containsExactlyInAnyOrder("n1", "n2", "n3");
        assertThat(joint.otherReplicas()).containsExactlyInAnyOrder("n1", "n2", "n4");
        assertThat(joint.otherQuorum()).isEqualTo(new Quorum(2, 3));
    }

    @Test
    void majorityOfTwoAndOfThreeDecidesWhileThereAreMoreOwnersOrFewer() {
        Electorate growing = electorate(changing(MemberState.ACTIVE, MemberState.ACTIVE, MemberState.JOINING), KEY);
        Electorate shrinking = electorate(changing(MemberState.ACTIVE, MemberState.ACTIVE, MemberState.LEAVING), KEY);

        assertThat(Objects.requireNonNull(growing.joint()).quorum()).isEqualTo(new Quorum(2, 2));
        assertThat(growing.joint().otherQuorum()).isEqualTo(new Quorum(2, 3));
        assertThat(Objects.requireNonNull(shrinking.joint()).quorum()).isEqualTo(new Quorum(2, 3));
        assertThat(shrinking.joint().otherQuorum()).isEqualTo(new Quorum(2, 2));
        assertThat(ids(growing)).containsExactlyInAnyOrder("n1", "n2", "n3");
    }

    @Test
    void keyWhoseOwnersStayNeedsOneMajority() {
        Topology topology = changing(
                MemberState.ACTIVE,
                MemberState.ACTIVE,
                MemberState.ACTIVE,
                MemberState.ACTIVE,
                MemberState.ACTIVE,
                MemberState.JOINING);
        ClusterView view = ClusterView.of("n1", topology);
        Key stays = IntStream.range(0, 1000)
                .mapToObj(i -> Key.of("k" + i))
                .filter(key -> ids(view.owners(key, 3)).equals(ids(view.otherOwners(key, 3))))
                .findFirst()
                .orElseThrow();

        assertThat(electorate(topology, stays).joint()).isNull();
        assertThat(electorate(topology, stays).voters()).hasSize(3);
    }

    private static Set<String> ids(List<Member> members) {
        return new HashSet<>(members.stream().map(Member::id).toList());
    }

    @Test
    void onlyOfANewerEpochThereIsANewerElectorate() {
        RegisterCluster.Node node = node(Topologies.of(7, "n1", "n2", "n3"));
        Electorates electorates = node.parts.electorates();
        Electorate asked = electorates.of(KEY);

        assertThat(electorates.newerThan(KEY, asked)).isNull();

        node.membership.offer(Topologies.of(8, "n1", "n2", "n3"));
        assertThat(electorates.newerThan(KEY, asked))
                .extracting(Electorate::epoch)
                .isEqualTo(8L);
        assertThat(electorates.epoch()).isEqualTo(8);
        assertThat(electorates.partitions()).isEqualTo(Topologies.PARTITIONS);
    }
}
