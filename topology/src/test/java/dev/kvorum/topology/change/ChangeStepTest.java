package dev.kvorum.topology.change;

import static dev.kvorum.topology.change.ChangingCluster.add;
import static dev.kvorum.topology.change.ChangingCluster.all;
import static dev.kvorum.topology.change.ChangingCluster.rebuilding;
import static dev.kvorum.topology.change.ChangingCluster.remove;
import static dev.kvorum.topology.change.ChangingCluster.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport.Standing;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChangeStepTest {
    private static final Topology FORMER = ChangingCluster.of("n1", "n2", "n3");
    private static final Topology BEGUN = ChangeTopologies.begin(FORMER, add("n4"));
    private static final Topology SWITCHED = ChangeTopologies.switched(BEGUN);

    private static final UUID NEW_DISK = new UUID(9, 9);

    private static MemberReport onNewDisk(@Nullable MemberReport told) {
        MemberReport report = Objects.requireNonNull(told);
        return new MemberReport(
                new MemberReport.Identity(report.member(), report.cluster(), report.partitions(), NEW_DISK),
                report.standing(),
                report.transfer(),
                report.former(),
                report.disk());
    }

    private static ChangeStep forwards(Topology present, Map<String, MemberReport> reports) {
        return ChangeStep.forwards(present, reports, Set.of());
    }

    private static Topology published(ChangeStep step, Topology present) {
        assertThat(step).isInstanceOf(ChangeStep.Publish.class);
        Topology next = ((ChangeStep.Publish) step).next();
        assertThat(Succession.refusal(present, next)).isEmpty();
        return next;
    }

    @Test
    void dataMovesOnlyWhenAllGoByTheChange() {
        Map<String, MemberReport> reports = all(BEGUN, false, 0, 10);
        reports.put("n2", report("n2", FORMER.epoch()));
        assertThat(forwards(BEGUN, reports)).isEqualTo(new ChangeStep.Await("n2 goes by epoch 7, not yet 8"));

        reports.remove("n2");
        assertThat(forwards(BEGUN, reports)).isEqualTo(new ChangeStep.Await("n2 can't be asked at http://n2:9090"));

        assertThat(forwards(BEGUN, all(BEGUN, false, 0, 10))).isEqualTo(new ChangeStep.Settle(BEGUN.members()));
    }

    /** What was decided from a topology that is not the newest would be published over another's decision. */
    @Test
    void nothingIsDoneWhileAMemberGoesByANewerEpochThanIsKnown() {
        Map<String, MemberReport> reports = all(BEGUN, true, 10, 10);
        reports.put("n2", report("n2", BEGUN.epoch() + 1));

        assertThat(forwards(BEGUN, reports)).isEqualTo(new ChangeStep.Await("n2 goes by epoch 9, newer than 8"));
    }

    /** Its owners of a partition may be others. */
    @Test
    void nothingIsDoneWhileAMemberGoesByOtherContentsOfTheEpoch() {
        Map<String, MemberReport> reports = all(BEGUN, true, 10, 10);
        reports.computeIfPresent("n1", (id, told) -> going(BEGUN, told));
        reports.computeIfPresent("n2", (id, told) -> going(FORMER, told));

        assertThat(forwards(BEGUN, reports))
                .isEqualTo(new ChangeStep.Await("member \"n2\" goes by another topology of epoch 8:"
                        + " publish epoch 9 with the right members, in the topology file of every node"));
    }

    /** As a node reports that goes by those contents. */
    private static MemberReport going(Topology contents, MemberReport told) {
        Standing standing = new Standing(told.epoch(), MemberReport.digestOf(contents), true, 0);
        return new MemberReport(told.identity(), standing, told.transfer(), told.former(), told.disk());
    }

    @Test
    void thoseThatStillWaitAreToldAgainWhenAnotherIsGone() {
        Map<String, MemberReport> reports = all(BEGUN, true, 9, 10);
        reports.remove("n2");
        MemberReport.Transfer done = new MemberReport.Transfer(Set.of(), 10, 10, 0, 0, 0, 100, "");
        reports.put("n3", report("n3", BEGUN.epoch(), done));
        List<Member> waiting = BEGUN.members().stream()
                .filter(member -> !Set.of("n2", "n3").contains(member.id()))
                .toList();
        assertThat(ChangeStep.forwards(BEGUN, reports, Set.of("n2"))).isEqualTo(new ChangeStep.Settle(waiting));

        MemberReport.Transfer told = new MemberReport.Transfer(Set.of("n2"), 10, 9, 0, 0, 0, 100, "");
        waiting.forEach(member -> reports.put(member.id(), report(member.id(), BEGUN.epoch(), told)));

        assertThat(ChangeStep.forwards(BEGUN, reports, Set.of("n2"))).isInstanceOf(ChangeStep.Await.class);
    }

    @Test
    void readsSwitchOnlyWhenEveryTransferIsVerified() {
        assertThat(forwards(BEGUN, all(BEGUN, true, 9, 10))).isInstanceOf(ChangeStep.Await.class);

        Topology next = published(forwards(BEGUN, all(BEGUN, true, 10, 10)), BEGUN);

        assertThat(next.reads()).isEqualTo(Reads.NEXT);
    }

    @Test
    void incarnationOfAMemberThatIsNotWholeStaysTheFormerOneWhenAChangeBegins() {
        Topology known = ChangeTopologies.recorded(FORMER, all(FORMER, false, 0, 0));
        Map<String, MemberReport> reports = all(known, false, 0, 0);
        reports.put("n1", onNewDisk(reports.get("n1")));
        reports.put("n2", onNewDisk(rebuilding("n2", known.epoch(), MemberReport.Transfer.none(100))));
        reports.put("n3", onNewDisk(report("n3", known.epoch() - 1)));

        Topology begun = ChangeTopologies.incarnated(ChangeTopologies.begin(known, add("n4")), reports);

        assertThat(begun.member("n1").orElseThrow().knownIncarnation()).contains(NEW_DISK);
        assertThat(begun.member("n2").orElseThrow().knownIncarnation())
                .isEqualTo(known.member("n2").orElseThrow().knownIncarnation());
        assertThat(begun.member("n3").orElseThrow().knownIncarnation())
                .isEqualTo(known.member("n3").orElseThrow().knownIncarnation());
    }

    @Test
    void readsDoNotSwitchWhileAMemberRebuilds() {
        Map<String, MemberReport> reports = all(BEGUN, true, 10, 10);
        MemberReport.Transfer done = new MemberReport.Transfer(Set.of(), 10, 10, 0, 0, 0, 100, "");
        reports.put("n2", rebuilding("n2", BEGUN.epoch(), done));

        assertThat(forwards(BEGUN, reports)).isInstanceOf(ChangeStep.Await.class);
    }

    @Test
    void diskThatWasReplacedDuringTheChangeIsKnownBeforeReadsAskIt() {
        Topology known = ChangeTopologies.recorded(BEGUN, all(BEGUN, true, 10, 10));
        Map<String, MemberReport> reports = all(known, true, 10, 10);
        reports.put("n4", onNewDisk(reports.get("n4")));

        Topology replaced = published(forwards(known, reports), known);

        assertThat(replaced.reads()).isEqualTo(Reads.CURRENT);
        assertThat(replaced.member("n4").orElseThrow().knownIncarnation()).contains(NEW_DISK);
        Map<String, MemberReport> later = all(replaced, true, 10, 10);
        later.put("n4", onNewDisk(later.get("n4")));
        assertThat(published(forwards(replaced, later), replaced).reads()).isEqualTo(Reads.NEXT);
    }

    @Test
    void diskThatIsStillEmptyIsNotRecorded() {
        Topology known = ChangeTopologies.recorded(BEGUN, all(BEGUN, true, 10, 10));
        Map<String, MemberReport> reports = all(known, true, 3, 10);
        reports.put("n4", onNewDisk(reports.get("n4")));

        assertThat(forwards(known, reports)).isInstanceOf(ChangeStep.Await.class);
    }

    @Test
    void changeIsFinishedOnlyWhenAllReadByIt() {
        Map<String, MemberReport> reports = all(SWITCHED, true, 10, 10);
        reports.put("n4", report("n4", BEGUN.epoch()));
        assertThat(forwards(SWITCHED, reports)).isInstanceOf(ChangeStep.Await.class);

        Topology finished = published(forwards(SWITCHED, all(SWITCHED, true, 10, 10)), SWITCHED);

        assertThat(finished.isChanging()).isFalse();
        assertThat(finished.members()).hasSize(4);
        assertThat(forwards(finished, Map.of())).isEqualTo(new ChangeStep.Over());
    }

    @Test
    void memberThatLeavesIsNoneWhenItsChangeIsFinished() {
        Topology four = ChangingCluster.of("n1", "n2", "n3", "n4");
        Topology switched = ChangeTopologies.switched(ChangeTopologies.begin(four, remove("n4")));

        Topology finished = published(forwards(switched, all(switched, true, 10, 10)), switched);

        assertThat(finished.members()).isEqualTo(FORMER.members());
    }

    @Test
    void stepThatMayNotFollowIsNotMade() {
        assertThatThrownBy(() -> ChangeTopologies.finished(BEGUN))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("epoch 9 can't follow: a change is running");
    }

    @Test
    void nothingIsTakenBackWhereNothingChanges() {
        assertThat(ChangeStep.back(FORMER, all(FORMER, false, 0, 0), Set.of())).isEqualTo(new ChangeStep.Over());
    }

    @Test
    void changeWhoseReadsWereNeverSwitchedIsTakenBackWithoutWaitingForAnybody() {
        Topology former = published(ChangeStep.back(BEGUN, Map.of(), Set.of()), BEGUN);

        assertThat(former.members()).isEqualTo(FORMER.members());
    }

    /** Cut off from the others, but not from clients and each other, those who join would go on answering reads while the former owners write without them. */
    @Test
    void changeWhoseReadsWereSwitchedIsTakenBackOnlyWhenNobodyReadsByItAnyMore() {
        Topology back = published(ChangeStep.back(SWITCHED, Map.of(), Set.of()), SWITCHED);
        assertThat(back.readOwners()).isEqualTo(FORMER.members());

        for (String late : Set.of("n3", "n4")) {
            Map<String, MemberReport> reports = all(back, false, 0, 0);
            reports.put(late, report(late, SWITCHED.epoch()));
            assertThat(ChangeStep.back(back, reports, Set.of())).isInstanceOf(ChangeStep.Await.class);
            reports.remove(late);
            assertThat(ChangeStep.back(back, reports, Set.of())).isInstanceOf(ChangeStep.Await.class);
            assertThat(ChangeStep.back(back, reports, Set.of(late))).isInstanceOf(ChangeStep.Publish.class);
        }
        Topology former = published(ChangeStep.back(back, all(back, false, 0, 0), Set.of()), back);

        assertThat(former.members()).isEqualTo(FORMER.members());
    }

    @Test
    void thatReadsWereSwitchedOutlivesTheFileAndFurtherEpochs() {
        Topology back = TopologyJson.read(TopologyJson.write(ChangeTopologies.switchedBack(SWITCHED)));
        Topology recorded = ChangeTopologies.recorded(back, all(back, false, 0, 0));

        assertThat(recorded.epoch()).isEqualTo(back.epoch() + 1);
        assertThat(ChangeStep.back(recorded, Map.of(), Set.of())).isInstanceOf(ChangeStep.Await.class);
    }

    @Test
    void changeThatWasTakenBackHalfwayMayGoOnAgain() {
        Topology back = ChangeTopologies.switchedBack(SWITCHED);

        Topology next = published(forwards(back, all(back, true, 10, 10)), back);

        assertThat(next.reads()).isEqualTo(Reads.NEXT);
    }

    @Test
    void nobodyWaitsForMembersThatAreGone() {
        Topology four = ChangingCluster.of("n1", "n2", "n3", "n4");
        Topology leaving = ChangeTopologies.begin(four, remove("n2"));
        Map<String, MemberReport> reports = all(leaving, true, 10, 10);
        reports.remove("n2");

        assertThat(forwards(leaving, reports)).isInstanceOf(ChangeStep.Await.class);
        assertThat(ChangeStep.forwards(leaving, reports, Set.of("n2"))).isInstanceOf(ChangeStep.Publish.class);
    }

    /**
     * Of {@code n1 n2 n3} with {@code n4} for {@code n3}, two acknowledge a write, {@code n2} and {@code n3}; should {@code n4} come back without it, it and {@code n1}
     * would answer a read.
     */
    @Test
    void readsDoNotSwitchToAMemberThatIsGoneBeforeItHasWhatItGains() {
        Topology replacing =
                ChangeTopologies.begin(FORMER, new ChangeRequest(add("n4").joining(), Set.of("n3"), Set.of()));
        Map<String, MemberReport> reports = all(replacing, true, 10, 10);
        reports.remove("n4");

        assertThat(ChangeStep.forwards(replacing, reports, Set.of("n4")))
                .isEqualTo(new ChangeStep.Await(
                        "data has to move to n4, which can't be gone: bring it back, or take the change back"));
        assertThat(ChangeStep.back(replacing, reports, Set.of("n4"))).isInstanceOf(ChangeStep.Publish.class);
    }

    @Test
    void readsSwitchWithoutAMemberThatIsGoneAndGainsNothing() {
        Map<String, MemberReport> reports = all(BEGUN, true, 10, 10);
        reports.remove("n2");

        assertThat(ChangeStep.forwards(BEGUN, reports, Set.of("n2"))).isInstanceOf(ChangeStep.Publish.class);
    }

    /** A process that does not run serves nobody by an older topology. But a next owner may lack what it is to hold. */
    @Test
    void readsSwitchWithoutAMemberThatDoesNotRunOnlyIfItLeaves() {
        Topology replacing =
                ChangeTopologies.begin(FORMER, new ChangeRequest(add("n4").joining(), Set.of("n3"), Set.of()));
        Map<String, MemberReport> reports = all(replacing, true, 10, 10);

        reports.remove("n3");
        assertThat(ChangeStep.forwards(replacing, reports, Set.of(), id -> !id.equals("n3")))
                .isInstanceOf(ChangeStep.Publish.class);

        reports.remove("n2");
        assertThat(ChangeStep.forwards(
                        replacing, reports, Set.of(), id -> !Set.of("n2", "n3").contains(id)))
                .isEqualTo(new ChangeStep.Await("data moves to n2"));
    }

    @Test
    void memberThatHasVerifiedMoreThanItGainsIsNotDone() {
        assertThat(forwards(BEGUN, all(BEGUN, true, 11, 10))).isInstanceOf(ChangeStep.Await.class);
    }

    @Test
    void reportsOutliveTheirJson() {
        MemberReport report = report("n1", 7);

        assertThat(MemberReportJson.readReport(MemberReportJson.write(report))).isEqualTo(report);
    }
}
