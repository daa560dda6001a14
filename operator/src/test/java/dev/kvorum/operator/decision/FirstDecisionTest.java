package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Seat;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

        assertDoubted(decision, "by it demo-1, demo-2 leave or have left");
        assertThat(decision.available()).isTrue();
    }

    /** Else it would have them leave first, and leave them out then. */
    @Test
    void aNewerTopologyByWhichMembersLeaveIsNotAdopted() {
        Situation situation = Situation.running("storage: {retention: Delete}");
        Topology present = situation.topology();

        assertDoubted(
                situation.newest(leaving(present, "demo-2")).decide(),
                "by it demo-2 leave or have left, which is not what was published");
    }

    /** Its data may not be with the others yet. */
    @Test
    void aNewerTopologyThatLeavesOutWhoIsStillLeavingIsNotAdopted() {
        Situation situation = Situation.running("{replicas: 4, storage: {retention: Delete}}");
        Topology leaving = leaving(situation.topology(), "demo-3");
        situation.publish(leaving, false);

        assertDoubted(
                situation
                        .newest(new Topology(
                                "shop/demo",
                                leaving.epoch() + 1,
                                3,
                                4096,
                                leaving.members().subList(0, 3)))
                        .decide(),
                "by it demo-3 leave or have left");
    }

    /** Then the change would be finished, and the volume of who leaves deleted, without anything having been verified. */
    @Test
    void aNewerTopologyByWhichReadsAskTheNextOwnersIsNotAdopted() {
        Situation situation = Situation.running("{replicas: 4, storage: {retention: Delete}}");
        Topology leaving = leaving(situation.topology(), "demo-3");
        situation.publish(leaving, false);

        assertDoubted(
                situation
                        .newest(new Topology("shop/demo", leaving.epoch() + 1, 3, 4096, leaving.members(), Reads.NEXT))
                        .decide(),
                "by it reads ask the next owners");
    }

    @Test
    void aNewerTopologyByWhichSomebodyHasJoinedIsNotAdopted() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.stepUntil(() -> situation.topology().isChanging());
        Topology joining = situation.topology();
        List<Member> members = joining.members().stream()
                .map(member -> as(member, MemberState.ACTIVE))
                .toList();

        assertDoubted(
                situation
                        .newest(new Topology("shop/demo", joining.epoch() + 1, 3, 4096, members))
                        .decide(),
                "by it demo-3 have joined");
    }

    /** Whether they are members or not: they would own data at once, and hold none. */
    @Test
    void aNewerTopologyWithMembersThatNeverJoinedIsNotAdopted() {
        Situation situation = Situation.running("");

        assertDoubted(
                situation
                        .newest(with(situation.topology(), "demo-3", null, "default"))
                        .decide(),
                "by it demo-3 have joined");
    }

    @Test
    void aNewerTopologyByWhichReadsAskMoreOwnersIsNotAdopted() {
        Situation situation = Situation.running("{replicas: 4, storage: {retention: Delete}}");
        Topology leaving = leaving(situation.topology(), "demo-3");
        Topology switched = new Topology("shop/demo", 9, 3, 4096, leaving.members(), Reads.NEXT);
        situation.publish(switched, true);
        List<Member> more = new ArrayList<>(switched.members());
        more.add(new ClusterName("shop", "demo", false).memberAt(new Seat("default", 4), MemberState.JOINING, null));

        assertDoubted(
                situation
                        .newest(new Topology("shop/demo", 10, 3, 4096, more, Reads.NEXT))
                        .decide(),
                "by it reads ask the next owners");
    }

    /** Nodes that go by the published one would refuse it for ever. */
    @Test
    void aTopologyThatIsOutOfReachOfOthersIsNotAdoptedNorToBeOutdone() {
        Situation situation = Situation.running("");
        Topology present = situation.topology();
        Topology far = new Topology("shop/demo", present.epoch() + 1_000_001, 3, 4096, present.members());
        situation.report("demo-1", report -> Reports.at(report, far.epoch()));

        Decision decision = situation.newest(far).decide();

        assertDoubted(decision, "Have demo-1 rebuilt from them: `kubectl delete pvc data-demo-1 -n shop");
        assertThat(decision.obstacle().message()).doesNotContain("raise the epoch");
    }

    @Test
    void aTopologyThatOthersJustReachIsAdopted() {
        Situation situation = Situation.running("");
        Topology present = situation.topology();
        Topology far = new Topology("shop/demo", present.epoch() + 1_000_000, 3, 4096, present.members());
        situation.report("demo-1", report -> Reports.at(report, far.epoch()));

        situation.newest(far).step();

        assertThat(situation.topology()).isEqualTo(far);
    }

    @Test
    void aSpecThatContradictsTheTopologyIsToldWhere() {
        Decision decision = Situation.running("replicas: 5")
                .spec("{replicas: 5, replicationFactor: 5}")
                .decide();

        assertThat(decision.obstacle()).isNotNull();
        assertThat(decision.obstacle().message()).contains("its replication factor is 3, spec.replicationFactor is 5");
    }

    /** Somebody has published it with too many digits, and has put the old one back. */
    @Test
    void aTopologyThatAllGoByIsNotOutOfReach() {
        Situation situation = Situation.running("");
        Topology present = situation.topology();
        Topology far = new Topology("shop/demo", present.epoch() + 1_000_001, 3, 4096, present.members());
        situation.reports.replaceAll((id, report) -> Reports.at(report, far.epoch()));

        situation.newest(far).step();

        assertThat(situation.topology()).isEqualTo(far);
    }

    /** Somebody has taken a change back. */
    @Test
    void aNewerTopologyThatLeavesOutWhoIsJoiningIsAdopted() {
        Situation situation = Situation.running("");
        Topology present = situation.topology();
        situation.spec("replicas: 4");
        situation.stepUntil(() -> situation.topology().isChanging());
        Topology takenBack = new Topology("shop/demo", situation.topology().epoch() + 1, 3, 4096, present.members());

        situation.newest(takenBack).step();

        assertThat(situation.topology()).isEqualTo(takenBack);
    }

    @Test
    void whatIsDoubtedIsNamedWithBothWaysOut() {
        Situation situation = Situation.running("");
        Topology present = situation.topology();
        Topology newest = leaving(present, "demo-2");
        situation.report("demo-1", report -> Reports.at(report, newest.epoch()));

        assertThat(situation.newest(newest).decide().obstacle().message())
                .startsWith("demo-1 goes by epoch " + newest.epoch() + ", which is newer than epoch " + present.epoch()
                        + " in the ConfigMap demo-topology and is not adopted: ")
                .contains("If it is right nevertheless, delete that ConfigMap")
                .contains("If what is published is right, raise the epoch in that ConfigMap above " + newest.epoch());

        // One way: the node's, as a person wants it.
        Topology published = situation.topology();
        situation.unpublished().step();
        assertThat(situation.topology()).isEqualTo(newest);

        // The other: what was published, under a newer epoch.
        situation.publish(new Topology("shop/demo", newest.epoch() + 1, 3, 4096, published.members()), false);
        situation.step();
        assertThat(situation.reports.values()).extracting(MemberReport::epoch).containsOnly(newest.epoch() + 1);
    }

    @Test
    void aNewerTopologyOfAnotherClusterIsNotAdoptedAndThePublishedOneNotBlamed() {
        Situation situation = Situation.running("");
        Topology present = situation.topology();
        Topology newest = new Topology("shop/other", 9, 3, 4096, present.members());

        Decision decision = situation.newest(newest).decide();

        assertDoubted(decision, "it is that of the cluster \"shop/other\"");
        assertThat(decision.obstacle().message()).doesNotContain("delete").doesNotContain("earlier cluster");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo-3", "evil"})
    void aNewerTopologyThatSendsTheOperatorElsewhereIsNotAdopted(String id) {
        Situation situation = Situation.running("");
        Topology evil = with(situation.topology(), id, "http://attacker:80", "default");

        assertDoubted(
                situation.newest(evil).decide(), id.equals("evil") ? "in zones" : "it gives demo-3 another address");
    }

    @Test
    void aNewerTopologyWithZonesThatNobodyAskedForIsNotAdopted() {
        Situation situation = Situation.running("");
        Topology elsewhere = with(situation.topology(), "demo-3", null, "c");

        assertDoubted(situation.newest(elsewhere).decide(), "it gives demo-3 another address or zone");
    }

    @Test
    void aTopologyThatSendsTheOperatorElsewhereIsNotRestoredEither() {
        Situation situation = Situation.running("");
        Topology evil = with(situation.topology(), "demo-3", "http://attacker:80", "default");

        assertDoubted(situation.unpublished().newest(evil).decide(), "it gives demo-3 another address");
    }

    private static Topology leaving(Topology topology, String id) {
        List<Member> members = topology.members().stream()
                .map(member -> member.id().equals(id) ? as(member, MemberState.LEAVING) : member)
                .toList();
        return new Topology("shop/demo", topology.epoch() + 8, 3, 4096, members);
    }

    private static Member as(Member member, MemberState state) {
        return new Member(member.id(), member.api(), member.peer(), member.zone(), state, 1, member.incarnation());
    }

    /** One member more, at this address; null for its own. */
    private static Topology with(Topology topology, String id, @Nullable String address, String zone) {
        List<Member> members = new ArrayList<>(topology.members());
        Member own = new ClusterName("shop", "demo", false).memberAt(new Seat(zone, 3), MemberState.ACTIVE, null);
        members.add(new Member(
                id,
                address == null ? own.api() : URI.create(address),
                address == null ? own.peer() : URI.create(address),
                zone,
                MemberState.ACTIVE,
                1,
                null));
        return new Topology("shop/demo", 9, 3, 4096, members);
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

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.publication()).isNull();
        assertThat(decision.isHeld()).isTrue();
    }

    @Test
    void aConfigMapOfSomebodyElseIsNotOverwrittenAndNothingIsMadeBesideIt() {
        Decision decision = Situation.empty("").withForeignMap().decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.sets()).isEmpty();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.obstacle().reason()).isEqualTo("NameTaken");
        assertThat(decision.obstacle().message())
                .startsWith("the ConfigMap demo-topology is not this cluster's")
                .endsWith(
                        "`kubectl label configmap demo-topology app.kubernetes.io/instance=demo app.kubernetes.io/managed-by=kvorum-operator -n shop`");
    }
}
