package dev.kvorum.topology.change;

import static dev.kvorum.topology.change.ChangingCluster.add;
import static dev.kvorum.topology.change.ChangingCluster.all;
import static dev.kvorum.topology.change.ChangingCluster.incarnation;
import static dev.kvorum.topology.change.ChangingCluster.rebuilding;
import static dev.kvorum.topology.change.ChangingCluster.remove;
import static dev.kvorum.topology.change.ChangingCluster.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Reports, sizes and gains by themselves, and whose disk a topology records. */
class ChangeNumbersTest {
    private static final Topology PRESENT = ChangingCluster.of("n1", "n2", "n3");

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void sizeOfAPartitionOfWhichNothingIsSaidIsNothing() {
        PartitionSizes sizes = new PartitionSizes(new long[] {5, 7}, new long[2]);

        assertThat(sizes.of(0)).isEqualTo(5);
        assertThat(sizes.of(1)).isEqualTo(7);
        assertThat(sizes.of(2)).isZero();
    }

    @Test
    void sizesOutliveTheirJson() {
        PartitionSizes read = MemberReportJson.readSizes(
                MemberReportJson.write(new PartitionSizes(new long[] {5, 7}, new long[] {1, 2})));

        assertThat(read.bytes()).containsExactly(5, 7);
        assertThat(read.cells()).containsExactly(1, 2);
    }

    @Test
    void whatIsNoReportIsRefused() {
        for (String json : List.of("null", "{}", "[]", "not json")) {
            assertThatThrownBy(() -> MemberReportJson.readReport(utf8(json)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not the report of a node");
            assertThatThrownBy(() -> MemberReportJson.readSizes(utf8(json)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void fieldThatOnlyANewerNodeSaysIsIgnored() {
        String json = new String(MemberReportJson.write(report("n1", 7)), StandardCharsets.UTF_8);

        assertThat(MemberReportJson.readReport(utf8(json.replaceFirst("\\{", "{\"newer\": 1, "))))
                .isEqualTo(report("n1", 7));
    }

    @Test
    void cellsAreGainedByTheRanksBelowTheirCopies() {
        Gain betterPlace = new Gain(0, 1, 3);
        Gain first = new Gain(0, 0, Gain.NONE);

        assertThat(betterPlace.brings(1)).isFalse(); // It holds them at neither rank.
        assertThat(betterPlace.brings(2)).isTrue();
        assertThat(betterPlace.brings(3)).isTrue();
        assertThat(betterPlace.brings(4)).isFalse(); // It holds them already.
        assertThat(first.brings(1)).isTrue();
    }

    @Test
    void memberThatJoinsGainsWhatItComesToHoldAndOthersNothingNew() {
        Topology begun = ChangeTopologies.begin(PRESENT, add("n4"));

        List<Gain> gains = Gain.of(begun, "n4");

        assertThat(gains)
                .hasSize(ChangingCluster.PARTITIONS)
                .allSatisfy(gain -> assertThat(gain.formerRank()).isEqualTo(Gain.NONE));
        assertThat(gains).isSortedAccordingTo((one, other) -> Integer.compare(one.partition(), other.partition()));
        assertThat(Gain.of(begun, "n1")).isEmpty();
        assertThat(Gain.of(begun, "n9")).isEmpty();
    }

    @Test
    void membersGainWhatOneThatLeavesHeldBeforeThem() {
        Topology leaving = ChangeTopologies.begin(ChangingCluster.of("n1", "n2", "n3", "n4"), remove("n4"));

        assertThat(Gain.of(leaving, "n1"))
                .isNotEmpty()
                .allSatisfy(gain -> assertThat(gain.rank()).isEqualTo(gain.formerRank() - 1));
        assertThat(Gain.of(leaving, "n4")).isEmpty();
    }

    @Test
    void transferIsDoneWhenItIsSettledAndAllIsVerified() {
        assertThat(new MemberReport.Transfer(Set.of(), 10, 10, 0, 0, 0, 1, "").isDone())
                .isTrue();
        assertThat(new MemberReport.Transfer(null, 10, 10, 0, 0, 0, 1, "").isDone())
                .isFalse();
        assertThat(new MemberReport.Transfer(Set.of(), 10, 9, 0, 0, 0, 1, "").isDone())
                .isFalse();
    }

    @Test
    void pastIsForgottenWhenItIsLongerAgoThanDeletionsAreKept() {
        assertThat(new MemberReport.Past(1001, 1000).isForgotten()).isTrue();
        assertThat(new MemberReport.Past(1000, 1000).isForgotten()).isFalse();
        assertThat(report("n1", 7).past().isForgotten()).isFalse();
    }

    @Test
    void moveTakesAsLongAsItsLimitSays() {
        assertThat(new ChangePlan.Move("n4", 1, 1000, 100).seconds()).isEqualTo(10);
        assertThat(new ChangePlan.Move("n4", 1, 1001, 100).seconds()).isEqualTo(11);
        assertThat(new ChangePlan.Move("n4", 1, 0, 100).seconds()).isZero();
        assertThat(new ChangePlan.Move("n4", 1, 7, 0).seconds()).isEqualTo(6); // No limit is one byte.
    }

    @Test
    void longestMoveIsHowLongAChangeTakes() {
        ChangePlan.Accepted plan = new ChangePlan.Accepted(
                PRESENT, List.of(new ChangePlan.Move("n4", 1, 1000, 100), new ChangePlan.Move("n5", 1, 3000, 100)));

        assertThat(plan.bytes()).isEqualTo(4000);
        assertThat(plan.seconds()).isEqualTo(30);
        assertThat(new ChangePlan.Accepted(PRESENT, List.of()).seconds()).isZero();
    }

    @Test
    void disksThatAreReportedByThePresentEpochAreRecorded() {
        Map<String, MemberReport> reports = new HashMap<>(all(PRESENT, false, 0, 0));
        reports.put("n2", report("n2", PRESENT.epoch() - 1));
        reports.put("n3", rebuilding("n3", PRESENT.epoch()));

        Topology recorded = ChangeTopologies.recorded(PRESENT, reports);

        assertThat(recorded.epoch()).isEqualTo(PRESENT.epoch() + 1);
        assertThat(incarnationOf(recorded, "n1")).isEqualTo(incarnation("n1"));
        assertThat(recorded.member("n2").flatMap(Member::knownIncarnation)).isEmpty();
        assertThat(recorded.member("n3").flatMap(Member::knownIncarnation)).isEmpty();
        assertThat(ChangeTopologies.recorded(PRESENT, Map.of())).isSameAs(PRESENT);
    }

    private static UUID incarnationOf(Topology topology, String id) {
        return topology.member(id).flatMap(Member::knownIncarnation).orElseThrow();
    }

    @Test
    void onlyDisksThatAreKnownCanBeReplaced() {
        Map<String, MemberReport> reports = all(PRESENT, false, 0, 0);
        assertThat(ChangeTopologies.replaced(PRESENT, reports)).isSameAs(PRESENT);

        UUID former = new UUID(8, 8);
        Topology known = new Topology(
                PRESENT.cluster(),
                PRESENT.epoch(),
                PRESENT.replicationFactor(),
                PRESENT.partitions(),
                PRESENT.members().stream()
                        .map(member -> member.id().equals("n1") ? ChangeTopologies.with(former, member) : member)
                        .toList());
        Topology replaced = ChangeTopologies.replaced(known, reports);

        assertThat(incarnationOf(replaced, "n1")).isEqualTo(incarnation("n1"));
        assertThat(replaced.member("n2").flatMap(Member::knownIncarnation)).isEmpty();
        assertThat(replaced.epoch()).isEqualTo(known.epoch() + 1);
    }

    @Test
    void repeatedTopologyIsTheSameInTheNextEpoch() {
        Topology repeated = ChangeTopologies.repeated(PRESENT);

        assertThat(repeated.epoch()).isEqualTo(PRESENT.epoch() + 1);
        assertThat(repeated.members()).isEqualTo(PRESENT.members());
        assertThat(repeated.reads()).isEqualTo(PRESENT.reads());
    }
}
