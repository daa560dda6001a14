package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.Reads;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a running change says of each of its steps. */
class StepNotesTest {
    @Test
    void eachEpochOfAChangeIsNoted() {
        assertThat(notes(Situation.running("").spec("replicas: 4")))
                .containsExactly("Beginning ScalingBegun", "Switching ReadsSwitched", "Finishing ScalingFinished");
    }

    @Test
    void eachEpochOfACancelledChangeIsNoted() {
        Situation situation = changing();
        Decision before = situation.spec("").decide();
        assertThat(before.publication().note().message())
                .isEqualTo("Epoch " + (situation.topology().epoch() + 1)
                        + ": the change is not asked for any more, the members are the former ones");
        assertThat(notes(situation)).containsExactly("Cancelling ScalingCancelled");

        Situation switched = changing();
        switched.stepUntil(() -> switched.topology().reads() == Reads.NEXT);
        Decision after = switched.spec("").decide();
        assertThat(after.publication().note().message())
                .isEqualTo("The change is not asked for any more: reads ask the former owners again");
        assertThat(notes(switched)).containsExactly("Cancelling ScalingCancelled", "Cancelling ScalingCancelled");
    }

    @Test
    void whoIsWaitedForIsTold() {
        Situation situation = changing();
        long begun = situation.topology().epoch();
        behind(situation, "demo-1");
        assertThat(situation.decide().membership().step()).isEqualTo(ChangePhase.Beginning);
        assertThat(situation.decide().membership().message()).isEqualTo("waiting until demo-1 goes by epoch " + begun);

        Situation switched = changing();
        switched.stepUntil(() -> switched.topology().reads() == Reads.NEXT);
        behind(switched, "demo-1");
        assertThat(switched.decide().membership().step()).isEqualTo(ChangePhase.Switching);
    }

    @Test
    void progressCountsAllNextOwnersAndNamesTheFirstFailure() {
        Situation situation = changing();
        situation.level();
        situation.report("demo-0", report -> Reports.verified(report, 10, 10));
        situation.report("demo-1", report -> Reports.failing(report, 5, 10, "the disk is full"));
        situation.report("demo-2", report -> Reports.failing(report, 4, 10, "n3 is busy"));
        situation.report("demo-3", report -> Reports.verified(report, 1, 10));

        assertThat(situation.decide().membership().message())
                .isEqualTo("20 of 40 copies of partitions are verified; demo-1 has failed: the disk is full");
    }

    /** As reads begin to ask it, it would take itself for one that has lost what it held. */
    @Test
    void aNewDiskOfAMemberIsRecordedBeforeReadsAreSwitched() {
        Situation situation = changing();
        situation.level();
        situation.report("demo-0", report -> Reports.renewed(report, new UUID(1, 2)));

        Decision decision = situation.decide();

        assertThat(decision.membership().step()).isEqualTo(ChangePhase.Transferring);
        assertThat(decision.publication().note().reason()).isEqualTo("DisksRecorded");
        assertThat(decision.publication().note().message()).endsWith("records the new data directories of demo-0");
        assertThat(decision.publication().topology().reads()).isEqualTo(Reads.CURRENT);
        assertThat(decision.publication().switched()).isFalse();
    }

    @Test
    void whatIsGivenUpWithADeadMemberIsNoted() {
        String given = "; what was held by demo-3 alone is given up";
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.lose("demo-3");
        situation.gone("demo-3").stepUntil(() -> isAboutToSwitch(situation));
        assertThat(situation.decide().publication().note().message()).endsWith(given);

        Situation alive = changing();
        alive.stepUntil(() -> isAboutToSwitch(alive));
        assertThat(alive.decide().publication().note().message()).doesNotContain("given up");
    }

    private static boolean isAboutToSwitch(Situation situation) {
        Publication next = situation.decide().publication();
        return next != null && next.note().reason().equals("ReadsSwitched");
    }

    private static Situation changing() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.stepUntil(() -> situation.topology().isChanging());
        return situation;
    }

    private static void behind(Situation situation, String member) {
        situation.level();
        situation.report(member, report -> Reports.at(report, report.epoch() - 1));
    }

    /** Phase and reason of each publication until nothing is left to do. */
    private static List<String> notes(Situation situation) {
        List<String> notes = new ArrayList<>();
        for (int round = 0; round < 100; round++) {
            Decision decision = situation.step();
            if (decision.publication() != null) {
                notes.add(decision.membership().step() + " "
                        + decision.publication().note().reason());
            }
        }
        return notes;
    }
}
