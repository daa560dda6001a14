package dev.kvorum.topology.change;

import static dev.kvorum.topology.change.ChangingCluster.DISK_FREE;
import static dev.kvorum.topology.change.ChangingCluster.PARTITIONS;
import static dev.kvorum.topology.change.ChangingCluster.add;
import static dev.kvorum.topology.change.ChangingCluster.all;
import static dev.kvorum.topology.change.ChangingCluster.incarnation;
import static dev.kvorum.topology.change.ChangingCluster.rebuilding;
import static dev.kvorum.topology.change.ChangingCluster.remove;
import static dev.kvorum.topology.change.ChangingCluster.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport.Identity;
import dev.kvorum.topology.change.MemberReport.Standing;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChangePlanTest {
    private static final Topology PRESENT = ChangingCluster.of("n1", "n2", "n3");
    private static final Topology FOUR = ChangingCluster.of("n1", "n2", "n3", "n4");

    private final Map<String, MemberReport> reports = new HashMap<>(all(PRESENT, false, 0, 0));

    private static Map<String, PartitionSizes> sizes(long bytesEach) {
        long[] bytes = new long[PARTITIONS];
        Arrays.fill(bytes, bytesEach);
        PartitionSizes sizes = new PartitionSizes(bytes, new long[PARTITIONS]);
        return new HashMap<>(Map.of("n1", sizes, "n2", sizes, "n3", sizes, "n4", sizes));
    }

    private String refusal(Topology present, ChangeRequest request) {
        ChangePlan plan = ChangePlan.of(present, request, reports, sizes(1));
        assertThat(plan).isInstanceOf(ChangePlan.Refused.class);
        return ((ChangePlan.Refused) plan).reason();
    }

    private ChangePlan.Accepted accepted(Topology present, ChangeRequest request, long bytesEach) {
        ChangePlan plan = ChangePlan.of(present, request, reports, sizes(bytesEach));
        assertThat(plan).isInstanceOf(ChangePlan.Accepted.class);
        return (ChangePlan.Accepted) plan;
    }

    @Test
    void memberThatJoinsGetsItsShareAndTheTopologyThatBeginsItIsAStep() {
        reports.put("n4", report("n4", 7));

        ChangePlan.Accepted plan = accepted(PRESENT, add("n4"), 10);

        assertThat(Succession.refusal(PRESENT, plan.begin())).isEmpty();
        assertThat(plan.begin().member("n4").orElseThrow().state()).isEqualTo(MemberState.JOINING);
        assertThat(plan.begin().members())
                .allSatisfy(member -> assertThat(member.knownIncarnation()).contains(incarnation(member.id())));
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.moves().getFirst().partitions()).isBetween(PARTITIONS / 2, PARTITIONS);
        assertThat(plan.bytes()).isEqualTo(10L * plan.moves().getFirst().partitions());
        assertThat(plan.seconds()).isBetween(plan.bytes() / 100, plan.bytes() / 100 + 1);
    }

    @Test
    void whatBreaksTheClusterIsRefused() {
        assertThat(refusal(PRESENT, remove("n3"))).contains("2 members, too few for 3 copies");
        assertThat(refusal(PRESENT, remove("n1", "n2", "n3"))).contains("at least one member has to stay or to join");
        assertThat(refusal(PRESENT, remove("n9"))).contains("the members are n1, n2, n3");
        assertThat(refusal(PRESENT, add("n1"))).contains("\"n1\" can't join: it is a member");
        assertThat(refusal(PRESENT, add())).contains("nobody is to join or to leave");
    }

    @Test
    void changeThatOverlapsAnotherIsRefused() {
        Topology begun = ChangeTopologies.begin(PRESENT, add("n4"));

        assertThat(refusal(begun, remove("n1"))).contains("a change is running already");
    }

    @Test
    void memberThatCannotTakePartIsNamed() {
        assertThat(refusal(PRESENT, add("n4"))).contains("nobody answers at http://n4:9090");
        reports.put("n4", report("n5", 7));
        assertThat(refusal(PRESENT, add("n4"))).contains("it is \"n5\" that answers");
        reports.put("n4", report("n4", 8));
        assertThat(refusal(PRESENT, add("n4"))).contains("newer than the members' 7");

        reports.put("n4", report("n4", 7));
        reports.put("n2", report("n2", 6));
        assertThat(refusal(PRESENT, add("n4"))).contains("\"n2\" goes by epoch 6, not 7");
        MemberReport split = report("n2", 7);
        Standing other = new Standing(7, MemberReport.digestOf(FOUR), true, 0);
        reports.put("n2", new MemberReport(split.identity(), other, split.transfer(), split.former(), split.disk()));
        assertThat(refusal(PRESENT, add("n4"))).contains("\"n2\" goes by another topology of epoch 7: publish epoch 8");
        reports.put("n2", rebuilding("n2", 7));
        assertThat(refusal(PRESENT, add("n4"))).contains("\"n2\" has lost data");
        reports.remove("n2");
        assertThat(refusal(PRESENT, add("n4"))).contains("\"n2\" at http://n2:9090 can't be asked");
    }

    @Test
    void memberThatIsGoneCanOnlyBeRemovedAndMustNotAnswer() {
        reports.putAll(all(FOUR, false, 0, 0));
        ChangeRequest gone = new ChangeRequest(List.of(), Set.of("n3"), Set.of("n3"));

        assertThat(refusal(FOUR, gone)).contains("said to be gone, but answers");
        assertThat(refusal(FOUR, new ChangeRequest(List.of(), Set.of("n2"), Set.of("n3"))))
                .contains("only who leaves can be gone");
        reports.remove("n3");
        assertThat(accepted(FOUR, gone, 1).moves()).isNotEmpty();
    }

    @Test
    void memberOfAnotherClusterOrOfOtherPartitionsCanNotJoin() {
        reports.put("n4", joining("another", PARTITIONS));
        assertThat(refusal(PRESENT, add("n4")))
                .contains("\"n4\" can't join cluster \"demo\": it is of cluster \"another\"");
        reports.put("n4", joining(null, PARTITIONS));
        assertThat(refusal(PRESENT, add("n4"))).contains("it is of cluster \"null\"");
        reports.put("n4", joining("demo", PARTITIONS / 2));
        assertThat(refusal(PRESENT, add("n4"))).contains("it has 32 partitions, the cluster has 64");

        Topology unnamed = new Topology(null, 7, 3, PARTITIONS, PRESENT.members());
        reports.put("n4", joining("another", PARTITIONS));
        assertThat(accepted(unnamed, add("n4"), 1).moves()).isNotEmpty(); // There is nothing to compare with.
    }

    private static MemberReport joining(@Nullable String cluster, int partitions) {
        MemberReport report = report("n4", 7);
        return new MemberReport(
                new Identity(report.member(), cluster, partitions, report.incarnation()),
                new Standing(report.epoch(), "", false, 0),
                report.transfer(),
                report.former(),
                report.disk());
    }

    @Test
    void addressThatIsTakenIsRefused() {
        Member taken = new Member(
                "n4", URI.create("http://n4:8080"), URI.create("http://n1:9090"), "z", MemberState.ACTIVE, 1, null);
        reports.put("n4", report("n4", 7));

        assertThat(refusal(PRESENT, new ChangeRequest(List.of(taken), Set.of(), Set.of())))
                .contains("\"n1\" and \"n4\" have the same peer address");
    }

    /** They have no more copies than members anyway. */
    @Test
    void clusterOfFewerMembersThanCopiesMayGrowAndReplaceButNotShrink() {
        Topology two = ChangingCluster.of("n1", "n2");
        reports.keySet().retainAll(Set.of("n1", "n2"));
        reports.put("n4", report("n4", 7));
        ChangeRequest replace = new ChangeRequest(add("n4").joining(), Set.of("n2"), Set.of());

        assertThat(accepted(two, replace, 1).begin().nextOwners())
                .extracting(Member::id)
                .containsExactly("n1", "n4");
        assertThat(refusal(two, remove("n2"))).contains("1 members, too few for 3 copies");
    }

    @Test
    void someMemberHasToBeLeftToPullFrom() {
        reports.clear();
        reports.put("n4", report("n4", 7));
        reports.put("n5", report("n5", 7));
        reports.put("n6", report("n6", 7));
        Set<String> all = Set.of("n1", "n2", "n3");

        assertThat(refusal(PRESENT, new ChangeRequest(add("n4", "n5", "n6").joining(), all, all)))
                .contains("all members are said to be gone");
    }

    @Test
    void slowestLimitCountsWhileAMemberHasNotToldItsOwn() {
        reports.put("n2", report("n2", 7, MemberReport.Transfer.none(30)));
        Topology begun = ChangeTopologies.begin(PRESENT, add("n4"));

        assertThat(ChangePlan.moves(begun, reports, sizes(1)).getFirst().bytesPerSecondMax())
                .isEqualTo(30);
    }

    /** What the members have deleted since may be forgotten by them: what it holds would be the newest there is. */
    @Test
    void formerMemberThatWasAwayForLongerThanDeletionsAreKeptCanNotJoinWithWhatItHolds() {
        reports.put("n4", away("n4", 1000, 1000));
        assertThat(accepted(PRESENT, add("n4"), 1).moves()).isNotEmpty();

        reports.put(
                "n4",
                away("n4", Duration.ofDays(11).toMillis(), Duration.ofDays(10).toMillis()));

        assertThat(refusal(PRESENT, add("n4")))
                .contains("it was a member until 264 hours ago")
                .contains("empty its data directory");
    }

    private static MemberReport away(String id, long awayMillis, long graceMillis) {
        MemberReport report = report(id, 7);
        return new MemberReport(
                report.identity(),
                new MemberReport.Standing(report.epoch(), "", false, 0),
                report.transfer(),
                report.former(),
                report.disk(),
                new MemberReport.Past(awayMillis, graceMillis));
    }

    @Test
    void sizesThatAreNotKnownDoNotCountAsNothing() {
        reports.put("n4", report("n4", 7));
        Map<String, PartitionSizes> known = sizes(1);
        known.remove("n2");
        known.remove("n4"); // Who joins has nothing that would move.

        assertThat(((ChangePlan.Refused) ChangePlan.of(PRESENT, add("n4"), reports, known)).reason())
                .contains("how much member \"n2\" at http://n2:9090 holds is not known");
        known.put("n2", new PartitionSizes(new long[1], new long[1]));
        assertThat(ChangePlan.of(PRESENT, add("n4"), reports, known)).isInstanceOf(ChangePlan.Refused.class);
        known.put("n2", new PartitionSizes(new long[PARTITIONS], new long[PARTITIONS]));
        assertThat(ChangePlan.of(PRESENT, add("n4"), reports, known)).isInstanceOf(ChangePlan.Accepted.class);
    }

    @Test
    void sizesOfThoseThatAreGoneAreNotAskedFor() {
        reports.putAll(all(FOUR, false, 0, 0));
        reports.remove("n3");
        Map<String, PartitionSizes> known = sizes(1);
        known.remove("n3");

        assertThat(ChangePlan.of(FOUR, new ChangeRequest(List.of(), Set.of("n3"), Set.of("n3")), reports, known))
                .isInstanceOf(ChangePlan.Accepted.class);
    }

    @Test
    void diskThatWouldNotHoldItIsRefusedWithTheNumbers() {
        reports.put("n4", report("n4", 7));

        int gained = accepted(PRESENT, add("n4"), 1).moves().getFirst().partitions();
        long room = DISK_FREE - ChangePlan.Move.HEADROOM_BYTES;
        long most = room * 2 / 3 / gained;

        assertThat(accepted(PRESENT, add("n4"), most).bytes()).isLessThan(DISK_FREE * 2 / 3);
        assertThat(((ChangePlan.Refused) ChangePlan.of(PRESENT, add("n4"), reports, sizes(most + 16))).reason())
                .contains("the disk of \"n4\" would not hold it")
                .contains("and has " + DISK_FREE + " free");
    }

    /** As an operator looks at it, before it starts those who join. */
    @Test
    void whatMovesIsKnownBeforeThoseWhoJoinCanBeAsked() {
        Topology begun = ChangeTopologies.begin(PRESENT, add("n4"));

        List<ChangePlan.Move> moves = ChangePlan.moves(begun, reports, sizes(10));

        reports.put("n4", report("n4", 7));
        assertThat(moves).isEqualTo(accepted(PRESENT, add("n4"), 10).moves());
        assertThat(ChangePlan.moves(begun, Map.of(), sizes(10)).getFirst().bytesPerSecondMax())
                .isZero();
        assertThat(ChangePlan.shortage(ChangePlan.moves(begun, Map.of(), sizes(1L << 50)), Map.of()))
                .isEmpty();
    }

    /** A member that is behind holds less. */
    @Test
    void memberThatHoldsTheMostOfAPartitionCountsWhetherItOwnsItOrNot() {
        Map<String, PartitionSizes> known = sizes(10);
        known.put("n4", sizes(30).get("n4"));

        assertThat(ChangePlan.moves(ChangeTopologies.begin(PRESENT, add("n4")), reports, known))
                .allSatisfy(move -> assertThat(move.bytes()).isEqualTo(30L * move.partitions()));
    }

    @Test
    void diskThatHoldsItExactlyHasTheRoom() {
        ChangePlan.Move move = new ChangePlan.Move("n1", 1, (DISK_FREE - ChangePlan.Move.HEADROOM_BYTES) * 2 / 3, 100);
        assertThat(move.bytesNeeded()).isEqualTo(DISK_FREE);

        assertThat(ChangePlan.shortage(List.of(move), reports)).isEmpty();
        assertThat(ChangePlan.shortage(List.of(new ChangePlan.Move("n1", 1, move.bytes() + 2, 100)), reports))
                .isPresent();
    }

    /** Owners whose rank gets better hold the partition already. */
    @Test
    void eachPartitionOfAMemberThatLeavesMovesOnce() {
        Topology begun = ChangeTopologies.begin(FOUR, remove("n4"));
        Placement former = Placement.current(begun);
        long held = IntStream.range(0, PARTITIONS)
                .filter(partition -> former.owners(partition, 3).stream()
                        .anyMatch(owner -> owner.id().equals("n4")))
                .count();

        assertThat(ChangePlan.moves(begun, reports, sizes(1)).stream()
                        .mapToInt(ChangePlan.Move::partitions)
                        .sum())
                .isEqualTo((int) held);
    }
}
