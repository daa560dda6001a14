package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import dev.kvorum.topology.change.MemberReport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How members join and leave. */
class ScalingTest {
    /** Kubernetes takes a moment to see what is asked for, and to make the pod. */
    @Test
    void aPodThatIsAskedForIsNotTakenBackBeforeItIsThere() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.step();
        situation.pods.remove("demo-3");
        situation.reports.remove("demo-3");
        situation.volumes.remove("demo-3");
        situation.sets.replaceAll((zone, set) ->
                new SetState(set.replicas(), false, false, "", set.volumeSize(), set.keepsVolumes(), "1"));

        assertThat(situation.decide().sets()).containsEntry("default", 4);

        situation.spec("replicas: 3");
        assertThat(situation.decide().sets()).containsEntry("default", 3);
    }

    @Test
    void nothingBeginsWhileAMemberDoesNotSayHowMuchItHolds() {
        Situation situation = Situation.running("").silentAboutSizes("demo-1").spec("replicas: 4");

        Decision decision = situation.stepOften();

        assertThat(decision.membership().step()).isEqualTo(ChangePhase.Waiting);
        assertThat(decision.membership().message()).isEqualTo("waiting until demo-1 says how much it holds");
        assertThat(situation.topology().isChanging()).isFalse();
    }

    @Test
    void aNodeThatWasAwayForLongerThanDeletionsAreKeptDoesNotJoin() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.step();
        situation.report("demo-3", report -> Reports.away(report, new MemberReport.Past(101, 100)));

        Decision decision = situation.stepOften();

        assertThat(decision.membership().message())
                .contains("demo-3 can't join with what it holds")
                .contains("kubectl delete pvc data-demo-3 -n shop");
        assertThat(situation.topology().isChanging()).isFalse();

        situation.report("demo-3", report -> Reports.away(report, new MemberReport.Past(99, 100)));
        situation.settle();
        assertThat(situation.topology().members()).hasSize(4);
    }

    @Test
    void scalingOutBeginsSwitchesAndFinishes() {
        Situation situation = Situation.running("").spec("replicas: 5");

        situation.settle();

        assertThat(situation.performed)
                .containsSubsequence(
                        "publish 0 1 2 +3 +4 CURRENT", "publish 0 1 2 +3 +4 NEXT", "publish 0 1 2 3 4 CURRENT");
        assertThat(situation.pods).hasSize(5);
    }

    @Test
    void scalingInBeginsSwitchesAndFinishesBeforePodsGo() {
        Situation situation = Situation.running("replicas: 5").spec("replicas: 3");

        situation.stepUntil(() -> {
            assertThat(situation.pods).hasSize(5);
            return !situation.topology().isChanging()
                    && situation.topology().members().size() < 5;
        });
        situation.settle();

        assertThat(situation.performed)
                .containsSubsequence(
                        "publish 0 1 2 -3 -4 CURRENT", "publish 0 1 2 -3 -4 NEXT", "publish 0 1 2 CURRENT");
        assertThat(situation.pods).hasSize(3);
    }

    @Test
    void newNodesRunBeforeTheyAreNamed() {
        Situation situation = Situation.running("").spec("replicas: 4");

        Decision first = situation.step();

        assertThat(first.publication()).isNull();
        assertThat(first.sets()).containsEntry("default", 4);
        assertThat(first.membership().message()).isEqualTo("waiting until demo-3 has been started and can be asked");
    }

    @Test
    void aNewNodeIsNotNamedBeforeItGoesByThePresentEpoch() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.step();
        long epoch = situation.topology().epoch();
        situation.report("demo-3", report -> Reports.at(report, epoch - 1));

        assertThat(situation.decide().membership().message()).isEqualTo("waiting until demo-3 goes by epoch " + epoch);
    }

    @Test
    void aChangeWaitsForAMemberThatIsNotReady() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.pod("demo-1", pod -> new PodState(pod.uid(), pod.revision(), false, false, true, false, null));

        assertThat(situation.decide().membership().message())
                .isEqualTo("waiting until demo-1 is ready and goes by epoch "
                        + situation.topology().epoch());
    }

    /** It may still serve clients by a former epoch. */
    @Test
    void aChangeWaitsForThePodsOfFormerMembers() {
        Situation situation = Situation.running("replicas: 5").spec("replicas: 4");
        situation.stepUntil(() -> situation.topology().member("demo-4").isEmpty());
        long epoch = situation.topology().epoch();
        situation.reports.replaceAll((id, report) -> Reports.at(report, id.equals("demo-4") ? epoch - 1 : epoch));

        Decision decision = situation.spec("replicas: 3").decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.membership().message())
                .isEqualTo("waiting until the pods of former members have gone: demo-4");
    }

    @Test
    void aNewNodeThatDoesNotStartKeepsTheChangeFromBeginning() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.step();
        situation.pod(
                "demo-3",
                pod -> new PodState(pod.uid(), pod.revision(), false, false, false, false, "ImagePullBackOff"));
        situation.reports.remove("demo-3");

        Decision decision = situation.decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.membership().message()).contains("demo-3").contains("ImagePullBackOff");
        assertThat(decision.sets()).containsEntry("default", 4);
    }

    @Test
    void readsAreNotSwitchedBeforeEverythingIsVerified() {
        Situation situation = begun("replicas: 4");
        situation.report("demo-3", report -> Reports.verified(report, 99, 100));

        Decision decision = situation.decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.membership().step()).isEqualTo(ChangePhase.Transferring);
        assertThat(decision.membership().message()).contains("of");
    }

    @Test
    void readsAreNotSwitchedWhileANextOwnerCanNotBeAsked() {
        Situation situation = begun("replicas: 4");
        situation.pods.remove("demo-3");
        situation.reports.remove("demo-3");

        assertThat(situation.decide().publication()).isNull();
    }

    @Test
    void whoDoesNotKnowOfTheChangeKeepsItFromGoingOn() {
        Situation situation = begun("replicas: 4");
        situation.report("demo-1", report -> Reports.at(report, report.epoch() - 1));

        Decision decision = situation.decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.actions())
                .anyMatch(action ->
                        action instanceof Action.Push push && push.member().id().equals("demo-1"));
    }

    @Test
    void whoCanNotBeAskedMayStillServeAndKeepsItFromGoingOn() {
        Situation situation = begun("replicas: 4");
        situation.cutOff("demo-1");

        assertThat(situation.decide().publication()).isNull();
        assertThat(situation.decide().membership().message()).contains("demo-1");
    }

    @Test
    void nodesAreToldWhenAllGoByTheChange() {
        Situation situation = begun("replicas: 4");
        situation.report("demo-3", Reports::unsettled);

        Decision decision = situation.decide();

        assertThat(decision.actions())
                .anyMatch(action -> action instanceof Action.Settle settle
                        && settle.member().id().equals("demo-3"));
        assertThat(decision.publication()).isNull();
    }

    @Test
    void whatADeadMemberMayHoldIsWaitedForUntilItIsBack() {
        Situation situation = begun("replicas: 4");
        situation.lose("demo-0");

        Decision waiting = situation.stepOften();

        assertThat(waiting.membership().step()).isEqualTo(ChangePhase.Transferring);
        assertThat(waiting.membership().message())
                .contains("waits for demo-0")
                .contains("kubectl delete pvc data-demo-0")
                .doesNotContain("kvorum.dev/gone");
        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 +3 CURRENT");

        situation.bringBack("demo-0");
        situation.settle();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 3 CURRENT");
        assertThat(situation.performed).noneMatch(one -> one.contains("without [demo-0]"));
    }

    @Test
    void aMemberThatDiesWhileItLeavesIsWaitedForUntilItIsSaidToBeGone() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.step();
        situation.lose("demo-3");

        Decision waiting = situation.stepOften();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 -3 CURRENT");
        assertThat(waiting.membership().message()).contains("kvorum.dev/gone=demo-3");

        situation.gone("demo-3").settle();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 CURRENT");
        assertThat(situation.pods).hasSize(3);
    }

    @Test
    void aMemberThatIsSaidToBeGoneAndComesBackIsPulledFromAgain() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.step();
        situation.lose("demo-3");
        situation.lose("demo-0"); // Or it would be over before.
        situation.gone("demo-3").stepOften();
        situation.bringBack("demo-3");

        Decision decision = situation.stepOften();

        assertThat(situation.performed)
                .filteredOn(action -> action.startsWith("settle demo-1"))
                .contains("settle demo-1 without [demo-3]")
                .last()
                .isEqualTo("settle demo-1 without []");
        assertThat(decision.membership().message())
                .contains("kvorum.dev/gone has no effect for demo-3, whose process may be running");
    }

    @Test
    void scalingInBelowTheReplicationFactorIsRefused() {
        Situation situation = Situation.running("replicas: 5").spec("{replicas: 2, replicationFactor: 3}");

        Decision decision = situation.decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.membership().reason()).isEqualTo("BelowReplicationFactor");
        assertThat(decision.sets()).containsEntry("default", 5);
    }

    @Test
    void aChangeWaitsForItsApproval() {
        Situation situation = Situation.running("").spec("{replicas: 5, scaling: {approval: Manual}}");

        Decision waiting = situation.settle();

        assertThat(waiting.membership().step()).isEqualTo(ChangePhase.AwaitingApproval);
        assertThat(situation.pods).hasSize(3);
        String plan = waiting.membership().plan().id();
        assertThat(waiting.membership().message()).contains("kvorum.dev/approve-scaling=" + plan);

        situation.approved(plan).settle();

        assertThat(situation.topology().members()).hasSize(5);
    }

    @Test
    void anApprovalIsForOnePlanOnly() {
        Situation situation = Situation.running("").spec("{replicas: 5, scaling: {approval: Manual}}");
        String plan = situation.decide().membership().plan().id();

        situation
                .spec("{replicas: 4, scaling: {approval: Manual}}")
                .approved(plan)
                .settle();

        assertThat(situation.topology().members()).hasSize(3);
    }

    @Test
    void thePlanCountsWhatItMoves() {
        Situation situation = Situation.running("").spec("{replicas: 4, scaling: {approval: Manual}}");

        ScalingPlan plan = situation.decide().membership().plan();

        assertThat(plan.joining()).containsExactly("demo-3");
        assertThat(plan.partitions()).isBetween(4096 * 3 / 4 - 200, 4096 * 3 / 4 + 200); // A quarter of all copies.
        assertThat(plan.partitions()).isEqualTo(partitionsAfterwards("demo-3", situation));
        assertThat(plan.bytes()).isEqualTo(plan.partitions() * 10L);
    }

    @Test
    void aPlanThatDoesNotFitOntoADiskWaits() {
        Situation situation = Situation.running("replicas: 5").spec("replicas: 3");
        situation.report("demo-0", report -> Reports.withFree(report, 100));

        Decision decision = situation.decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.membership().message())
                .contains("demo-0")
                .contains("100 free")
                .endsWith(": raise spec.storage.size first");
    }

    /** As the command line asks for it: half as much again, and 256 MiB for the log and what clients write meanwhile. */
    @Test
    void aPlanLeavesRoomForWhatClientsWriteMeanwhile() {
        Situation situation = Situation.running("replicas: 5").spec("replicas: 3");
        long gain = situation.decide().membership().plan().moves().stream()
                .filter(move -> move.member().equals("demo-0"))
                .mapToLong(ChangePlan.Move::bytes)
                .sum();
        assertThat(gain).isPositive();

        situation.report("demo-0", report -> Reports.withFree(report, gain + gain / 2 + (256L << 20) - 1));
        assertThat(situation.decide().publication()).isNull();

        situation.report("demo-0", report -> Reports.withFree(report, gain + gain / 2 + (256L << 20)));
        assertThat(situation.decide().publication()).isNotNull();
    }

    /** One that is behind holds less; and one that has yet to drop what it held before may hold the most. */
    @Test
    void aPlanCountsThePartitionsOfTheMemberThatHoldsTheMost() {
        Situation situation = Situation.running("replicas: 5").spec("replicas: 3");
        ScalingPlan alike = situation.decide().membership().plan();

        situation.report(
                "demo-4", report -> Reports.withUsed(report, 2 * report.disk().used()));

        ScalingPlan plan = situation.decide().membership().plan();
        assertThat(plan.bytes()).isEqualTo(2 * alike.bytes());
        assertThat(plan.partitions()).isEqualTo(alike.partitions());
    }

    @Test
    void sizesOfOtherPartitionsThanTheClusterHasCountAsNone() {
        Situation situation =
                Situation.running("").sizesOfOnePartition("demo-1").spec("replicas: 4");

        Decision decision = situation.stepOften();

        assertThat(decision.membership().message()).isEqualTo("waiting until demo-1 says how much it holds");
        assertThat(decision.membership().plan().bytes()).isNull();
        assertThat(situation.topology().isChanging()).isFalse();
    }

    @Test
    void aMemberByANewerEpochThanIsPublishedKeepsAChangeFromBeginning() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.report("demo-1", report -> Reports.at(report, report.epoch() + 1));

        Decision decision = situation.stepOften();

        assertThat(decision.membership().message()).contains("\"demo-1\" goes by epoch 3, not 2");
        assertThat(decision.sets()).containsEntry("default", 4); // Who is to join is kept, and nothing has begun.
        assertThat(situation.topology().isChanging()).isFalse();
    }

    @Test
    void aMemberByANewerEpochThanIsPublishedKeepsAChangeFromGoingOn() {
        Situation situation = begun("replicas: 4");
        situation.report("demo-1", report -> Reports.at(report, report.epoch() + 1));

        Decision decision = situation.decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.membership().message()).contains("demo-1 goes by epoch");
    }

    @Test
    void aNodeOfAnotherClusterIsNotBegunWith() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.step();
        situation.report("demo-3", report -> Reports.of(report, "another"));

        Decision decision = situation.stepOften();

        assertThat(decision.membership().message()).contains("it is of cluster \"another\"");
        assertThat(situation.topology().isChanging()).isFalse();
    }

    @Test
    void aChangeWaitsForAMemberThatDoesNotServe() {
        Situation situation = Situation.running("").spec("replicas: 5");
        situation.cutOff("demo-1");

        Decision decision = situation.decide();

        assertThat(decision.sets()).containsEntry("default", 3);
        assertThat(decision.membership().message()).contains("demo-1");
    }

    @Test
    void noChangeBeginsWhileAMemberThatWouldLeaveIsDead() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.lose("demo-3");

        Decision waiting = situation.settle();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 3 CURRENT");
        assertThat(waiting.membership().message())
                .contains("waits for demo-3")
                .contains("bring its machine back")
                .contains("kubectl delete pvc data-demo-3 -n shop")
                .contains("kubectl annotate kvc demo -n shop --overwrite kvorum.dev/gone=demo-3");
    }

    @Test
    void aDeadMemberIsScaledInOnceItWasRebuilt() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.lose("demo-3");
        situation.settle();

        situation.rebuildElsewhere("demo-3");
        situation.settle();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 CURRENT");
        assertThat(situation.pods).hasSize(3);
    }

    @Test
    void aDeadMemberIsScaledInOnceItIsSaidToBeGone() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.lose("demo-3");

        situation.gone("demo-3").settle();

        assertThat(situation.performed)
                .containsSubsequence(
                        "publish 0 1 2 -3 CURRENT",
                        "settle demo-0 without [demo-3]",
                        "publish 0 1 2 -3 NEXT",
                        "publish 0 1 2 CURRENT");
        assertThat(situation.pods).hasSize(3);
    }

    @Test
    void twoDeadMembersAreGivenUpByOneAnnotation() {
        Situation situation = Situation.running("replicas: 5").spec("replicas: 3");
        situation.lose("demo-3");
        situation.lose("demo-4");

        assertThat(situation.gone("demo-4").settle().membership().message()).contains("kvorum.dev/gone=demo-3,demo-4");

        situation.gone("demo-3", "demo-4").settle();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 CURRENT");
    }

    @Test
    void aMemberThatStaysIsWaitedForThoughItIsSaidToBeGone() {
        Situation situation = Situation.running("replicas: 5").spec("replicas: 4");
        situation.lose("demo-0");

        Decision waiting = situation.gone("demo-0").settle();

        assertThat(situation.topology().isChanging()).isFalse();
        assertThat(waiting.membership().message())
                .contains("waits for demo-0")
                .contains("kvorum.dev/gone has no effect for demo-0, which does not leave");
    }

    @Test
    void aMemberWhoseProcessMayRunIsWaitedForThoughItIsSaidToBeGone() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.cutOff("demo-3");

        Decision waiting = situation.gone("demo-3").settle();

        assertThat(situation.topology().isChanging()).isFalse();
        assertThat(waiting.membership().message())
                .contains("waits for demo-3")
                .contains("delete that Node first")
                .contains("kvorum.dev/gone has no effect for demo-3, whose process may be running");
    }

    @Test
    void aZoneThatIsAddedGetsItsShareAndOneThatIsRemovedLosesIt() {
        Situation situation = Situation.running("{replicas: 4, zones: [a, b]}").spec("{replicas: 4, zones: [a, c]}");

        situation.settle();

        assertThat(situation.pods).containsOnlyKeys("demo-a-0", "demo-a-1", "demo-c-0", "demo-c-1");
        assertThat(situation.sets).containsOnlyKeys("a", "c");
        assertThat(situation.performed).contains("publish a-0 -b-0 a-1 -b-1 +c-0 +c-1 CURRENT");
    }

    @Test
    void settingReplicasBackBeforeTheChangeHasBegunEndsTheNewPods() {
        Situation situation = Situation.running("").spec("replicas: 5");
        situation.step();

        situation.spec("").settle();

        assertThat(situation.pods).hasSize(3);
        assertThat(situation.topology().epoch()).isEqualTo(2);
    }

    @Test
    void settingReplicasBackCancelsAChange() {
        Situation situation = begun("replicas: 5");

        situation.spec("").settle();

        assertThat(situation.performed).containsSubsequence("publish 0 1 2 +3 +4 CURRENT", "publish 0 1 2 CURRENT");
        assertThat(situation.pods).hasSize(3);
    }

    @Test
    void aChangeWhoseReadsWereSwitchedIsCancelledInTwoSteps() {
        Situation situation = begun("replicas: 5");
        stepUntil(situation, Reads.NEXT);

        situation.spec("").settle();

        assertThat(situation.performed)
                .containsSubsequence("publish 0 1 2 +3 +4 NEXT", "publish 0 1 2 +3 +4 BACK", "publish 0 1 2 CURRENT");
    }

    @Test
    void aNewNodeThatIsCutOffDoesNotKeepAChangeFromBeingCancelled() {
        Situation situation = begun("replicas: 4");
        situation.cutOff("demo-3");

        situation.spec("").step();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 CURRENT");
    }

    @Test
    void onceReadsWereSwitchedACancelWaitsForAllToKnowThatTheyAreBack() {
        Situation situation = begun("replicas: 4");
        stepUntil(situation, Reads.NEXT);
        situation.spec("").step();
        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 +3 BACK");
        situation.cutOff("demo-3");

        assertThat(situation.decide().publication()).isNull();
    }

    @Test
    void askingForYetAnotherNumberTakesTheRunningChangeBackFirst() {
        Situation situation = begun("replicas: 5");

        situation.spec("replicas: 4").step();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 CURRENT");
    }

    /** How many partitions it owns once the members are those that the spec asks for. */
    private static int partitionsAfterwards(String id, Situation situation) {
        Topology former = situation.topology();
        Placement after = Placement.current(new Topology(
                former.cluster(),
                former.epoch(),
                former.replicationFactor(),
                former.partitions(),
                MembershipDecision.target(situation.observed())));
        return (int) IntStream.range(0, former.partitions())
                .filter(partition -> after.owners(partition, former.replicationFactor()).stream()
                        .anyMatch(owner -> owner.id().equals(id)))
                .count();
    }

    private static Situation begun(String yaml) {
        Situation situation = Situation.running("").spec(yaml);
        situation.stepUntil(() -> situation.topology().isChanging());
        situation.level();
        return situation;
    }

    private static void stepUntil(Situation situation, Reads reads) {
        situation.stepUntil(() -> situation.topology().reads() == reads);
    }

    @Test
    void theOrderOfZonesMeansNothing() {
        Situation situation = Situation.running("{replicas: 4, zones: [a, b, c]}");

        Decision decision = situation.spec("{replicas: 4, zones: [c, b, a]}").decide();

        assertThat(decision.membership().step()).isEqualTo(ChangePhase.None);
        assertThat(decision.actions()).isEmpty();
    }
}
