package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a cluster comes to be, and how it comes back. */
class FirstDecisionTest {
    @Test
    void aNewClusterBeginsWithEpochOneAndAllOfItsMembers() {
        Situation situation = Situation.empty("");

        situation.step();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 CURRENT");
        assertThat(situation.topology().epoch()).isEqualTo(1);
        assertThat(situation.topology().cluster()).isEqualTo("shop/demo");
    }

    @Test
    void podsStartOnlyWhenTheTopologyIsPublished() {
        Situation situation = Situation.empty("");

        assertThat(situation.decide().sets()).isEmpty();
        situation.step();

        assertThat(situation.decide().sets()).containsEntry("default", 3);
    }

    @Test
    void membersAreSpreadOverZones() {
        Situation situation = Situation.running("{replicas: 5, zones: [a, b, c]}");

        assertThat(situation.topology().members())
                .extracting(Member::id, Member::zone)
                .contains(
                        tuple("demo-a-0", "a"), tuple("demo-a-1", "a"), tuple("demo-b-1", "b"), tuple("demo-c-0", "c"));
        assertThat(situation.decide().sets())
                .containsEntry("a", 2)
                .containsEntry("b", 2)
                .containsEntry("c", 1);
    }

    @Test
    void theDisksOfTheFirstMembersAreRecorded() {
        Situation situation = Situation.running("");

        assertThat(situation.topology().members())
                .allMatch(member -> member.knownIncarnation().isPresent());
        assertThat(situation.topology().epoch()).isEqualTo(2);
    }

    @Test
    void aClusterMadeAnewGoesOnByTheTopologyThatWasKept() {
        Situation situation = Situation.running("replicas: 5");
        situation.sets.clear();
        situation.pods.clear();
        situation.reports.clear();

        Decision decision = situation.spec("replicas: 3").decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.sets()).containsEntry("default", 5); // The data is on five: it is moved before two go.
    }

    @Test
    void volumesWithoutATopologyAreNotTakenForANewCluster() {
        Situation situation = Situation.running("").unpublished();
        situation.sets.clear();
        situation.pods.clear();

        Decision decision = situation.decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.obstacle()).isNotNull();
        assertThat(decision.obstacle().reason()).isEqualTo("TopologyLost");
        assertThat(decision.obstacle().message()).contains("kubectl delete pvc");
    }

    @Test
    void volumesOfOthersAreNotTakenForANewCluster() {
        Situation situation = Situation.empty("");
        situation.strangers.add("demo-1");

        Decision decision = situation.decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.sets()).isEmpty();
        assertThat(decision.obstacle()).isNotNull();
        assertThat(decision.obstacle().reason()).isEqualTo("VolumesOfOthers");
        assertThat(decision.obstacle().message()).contains("kubectl delete pvc data-demo-1 -n shop");
    }

    @Test
    void aDeletedTopologyIsRestoredFromTheNodes() {
        Situation situation = Situation.running("");
        Topology gone = situation.topology();
        situation.unpublished().newest(gone);

        situation.step();

        assertThat(situation.topology()).isEqualTo(gone);
    }

    @Test
    void aNewerTopologyOfTheNodesIsAdopted() {
        Situation situation = Situation.running("");
        Topology present = situation.topology();
        Topology newer = new Topology("shop/demo", present.epoch() + 4, 3, 4096, present.members());
        situation.newest(newer);

        situation.step();

        assertThat(situation.topology()).isEqualTo(newer);
    }

    /** A node that was taken over would else have the volumes of the others deleted. */
    @Test
    void aNewerTopologyThatLeavesOutWhomNobodyAskedToLeaveIsNotAdopted() {
        Situation situation = Situation.running("storage: {retention: Delete}");
        Topology present = situation.topology();

        Decision decision = situation
                .newest(new Topology(
                        "shop/demo", 1_000_000, 3, 4096, present.members().subList(0, 1)))
                .decide();

        assertDoubted(decision, "it leaves out demo-1, demo-2");
        assertThat(decision.available()).isTrue();
    }

    @Test
    void aNewerTopologyOfAnotherClusterIsNotAdopted() {
        Situation situation = Situation.running("");
        Topology present = situation.topology();

        assertDoubted(
                situation
                        .newest(new Topology("shop/other", 9, 3, 4096, present.members()))
                        .decide(),
                "it is that of the cluster \"shop/other\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo-3", "evil"})
    void aNewerTopologyThatSendsTheOperatorElsewhereIsNotAdopted(String id) {
        Situation situation = Situation.running("");
        Topology present = situation.topology();
        List<Member> members = new ArrayList<>(present.members());
        members.add(new Member(
                id,
                URI.create("http://attacker:80"),
                URI.create("http://attacker:80"),
                "default",
                MemberState.ACTIVE,
                1,
                null));

        assertDoubted(
                situation.newest(new Topology("shop/demo", 9, 3, 4096, members)).decide(), "");
    }

    private static void assertDoubted(Decision decision, String why) {
        assertThat(decision.publication()).isNull();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.obstacle()).isNotNull();
        assertThat(decision.obstacle().reason()).isEqualTo("TopologyDoubted");
        assertThat(decision.obstacle().message()).contains(why);
    }

    @Test
    void aTopologyThatTheSpecContradictsIsLeftAlone() {
        Situation situation = Situation.running("");

        Decision decision = situation.spec("partitions: 128").decide();

        assertThat(decision.sets()).isEmpty();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.obstacle()).isNotNull();
        assertThat(decision.obstacle().invalid()).isTrue();
        assertThat(decision.obstacle().message()).contains("4096 partitions, spec.partitions is 128");
    }

    @Test
    void aPausedClusterIsLeftAlone() {
        Situation situation = Situation.running("").spec("{replicas: 5, paused: true}");
        situation.newRevision("r2");

        Decision decision = situation.decide();

        assertThat(decision.sets()).isEmpty();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.publication()).isNull();
    }
}
