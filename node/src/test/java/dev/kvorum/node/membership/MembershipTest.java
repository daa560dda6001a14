package dev.kvorum.node.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.Gain;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MembershipTest {
    private static final Topology PRESENT = Topologies.of(5, "n1", "n2", "n3");

    private final Membership membership = new Membership("n1", PRESENT);

    private List<Long> followed() {
        List<Long> epochs = new ArrayList<>();
        membership.follow(view -> epochs.add(view.topology().epoch()));
        return epochs;
    }

    @Test
    void higherEpochIsAdopted() {
        Topology next = Topologies.of(6, "n1", "n2", "n3", "n4");

        membership.offer(next);

        assertThat(membership.view().topology()).isEqualTo(next);
        assertThat(membership.view().ownerCount()).isEqualTo(4);
        assertThat(membership.view().placement().order(0))
                .extracting(Member::id)
                .containsExactlyInAnyOrder("n1", "n2", "n3", "n4");
    }

    @Test
    void epochsMayBeSkipped() {
        membership.offer(Topologies.of(9, "n1", "n2"));

        assertThat(membership.view().topology().epoch()).isEqualTo(9);
    }

    @Test
    void followerIsToldTheEpochInForceAndEachLaterOneBeforeItIs() {
        List<String> told = new ArrayList<>();
        membership.follow(view -> told.add(view.topology().epoch() + " while in force is "
                + membership.view().topology().epoch()));

        membership.offer(Topologies.of(6, "n1", "n2"));

        assertThat(told).containsExactly("5 while in force is 5", "6 while in force is 5");
    }

    static Stream<Arguments> refused() {
        List<Member> members = Topologies.of(1, "n1", "n2", "n3", "n4").members();
        return Stream.of(
                Arguments.of("the same one again", PRESENT),
                Arguments.of("a lower epoch", Topologies.of(4, members)),
                Arguments.of("the same epoch with other content", Topologies.of(5, members)),
                Arguments.of("another cluster", new Topology("prod", 6, 3, Topologies.PARTITIONS, members)),
                Arguments.of("no cluster any more", new Topology(null, 6, 3, Topologies.PARTITIONS, members)),
                Arguments.of("another replication factor", new Topology("demo", 6, 5, Topologies.PARTITIONS, members)),
                Arguments.of("the same some epochs later", new Topology("demo", 9, 1, Topologies.PARTITIONS, members)),
                Arguments.of("other partitions", new Topology("demo", 6, 3, Topologies.PARTITIONS * 2, members)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void topologyThatCanNotFollowIsIgnored(String what, Topology offered) {
        List<Long> followed = followed();

        membership.offer(offered);

        assertThat(membership.view().topology()).as(what).isEqualTo(PRESENT);
        assertThat(followed).containsExactly(5L);
    }

    @Test
    void refusedTopologyDoesNotStandInTheWayOfTheNext() {
        membership.offer(new Topology("prod", 100, 3, Topologies.PARTITIONS, PRESENT.members()));

        membership.offer(Topologies.of(6, "n1"));

        assertThat(membership.view().topology().epoch()).isEqualTo(6);
    }

    @Test
    void nodeThatIsNotNamedAnyMoreKnowsIt() {
        assertThat(membership.view().hasSelf()).isTrue();

        membership.offer(Topologies.of(6, "n2", "n3"));

        assertThat(membership.view().hasSelf()).isFalse();
        assertThat(membership.view().self()).isEqualTo("n1");
    }

    @Test
    void joiningMemberOwnsNothingAndALeavingOneStillDoes() {
        List<Member> members = List.of(
                Topologies.member("n1"),
                Topologies.member("n2", MemberState.LEAVING),
                Topologies.member("n3", MemberState.JOINING));

        ClusterView view = ClusterView.of("n1", Topologies.of(1, members));

        assertThat(view.ownerCount()).isEqualTo(2);
        assertThat(view.fromDefault()).isEqualTo(2);
        assertThat(view.owners(Key.of("cart-7"), 3)).extracting(Member::id).containsExactlyInAnyOrder("n1", "n2");
        assertThat(view.otherOwners(Key.of("cart-7"), 3)).extracting(Member::id).containsExactlyInAnyOrder("n1", "n3");
    }

    @Test
    void readsAskTheNextOwnersOnceTheTopologySaysSo() {
        List<Member> members = List.of(
                Topologies.member("n1"),
                Topologies.member("n2", MemberState.LEAVING),
                Topologies.member("n3", MemberState.JOINING),
                Topologies.member("n4", MemberState.JOINING));

        ClusterView view = ClusterView.of("n1", new Topology("demo", 1, 3, 64, members, Reads.NEXT));

        assertThat(view.ownerCount()).isEqualTo(3);
        assertThat(view.owners(Key.of("cart-7"), 3)).extracting(Member::id).containsExactlyInAnyOrder("n1", "n3", "n4");
        assertThat(view.otherOwners(Key.of("cart-7"), 3)).extracting(Member::id).containsExactlyInAnyOrder("n1", "n2");
    }

    /** What is computed of thousands of partitions is not computed again under each epoch of a change. */
    @Test
    void placementsOfTheFormerEpochAreTakenOverWhereTheyAreTheSame() {
        List<Member> three = List.of(Topologies.member("n1"), Topologies.member("n2"), Topologies.member("n3"));
        List<Member> begun = new ArrayList<>(three);
        begun.add(Topologies.member("n4", MemberState.JOINING));

        ClusterView before = ClusterView.of("n1", Topologies.of(1, three));
        ClusterView changing = before.under(Topologies.of(2, begun));
        ClusterView switched = changing.under(new Topology("demo", 3, 3, Topologies.PARTITIONS, begun, Reads.NEXT));

        assertThat(changing.placement()).isSameAs(before.placement());
        assertThat(switched.placement()).isSameAs(changing.others()).isNotSameAs(before.placement());
        assertThat(switched.others()).isSameAs(before.placement());
        assertThat(switched.current()).isSameAs(before.placement());
        assertThat(changing.gains()).isEqualTo(switched.gains());
    }

    @Test
    void memberThatHasMovedHasAPlacementOfItsOwn() {
        Member moved = new Member(
                "n3",
                URI.create("http://n3:8080"),
                URI.create("http://elsewhere:9090"),
                "zone-n3",
                MemberState.ACTIVE,
                1,
                null);
        ClusterView before = ClusterView.of("n1", Topologies.of(1, "n1", "n2", "n3"));

        ClusterView after =
                before.under(Topologies.of(2, List.of(Topologies.member("n1"), Topologies.member("n2"), moved)));

        assertThat(after.owners(Key.of("cart-7"), 3)).contains(moved);
    }

    @Test
    void whatJoinsGainsAndOthersDoNot() {
        List<Member> begun =
                new ArrayList<>(List.of(Topologies.member("n1"), Topologies.member("n2"), Topologies.member("n3")));
        begun.add(Topologies.member("n4", MemberState.JOINING));
        Topology topology = Topologies.of(2, begun);

        assertThat(ClusterView.of("n4", topology).gains()).isNotEmpty().isEqualTo(Gain.of(topology, "n4"));
        assertThat(ClusterView.of("n1", topology).gains()).isEmpty();
        assertThat(ClusterView.of("n1", Topologies.of(1, "n1", "n2")).gains()).isEmpty();
    }

    @Test
    void writesGoToNoOtherOwnersWhileNobodyJoinsOrLeaves() {
        assertThat(membership.view().others()).isNull();
        assertThat(membership.view().otherOwners(Key.of("cart-7"), 3)).isEmpty();
    }
}
