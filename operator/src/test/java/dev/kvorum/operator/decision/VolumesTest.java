package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Retention;
import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.VolumeOwner;
import dev.kvorum.operator.decision.Observed.VolumeState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of volumes. */
class VolumesTest {
    @Test
    void volumesOfMembersAreMarked() {
        Situation situation = Situation.running("");

        assertThat(situation.volumes.values()).allMatch(volume -> volume.joined() != null && volume.removed() == null);
    }

    @Test
    void aVolumeIsMarkedBeforeTheTopologyNamesItsMember() {
        Situation situation = Situation.running("").spec("replicas: 4");

        situation.stepUntil(() -> situation.topology().isChanging());

        assertThat(situation.volumes.get("demo-3").joined())
                .isEqualTo(situation.topology().epoch());
    }

    @Test
    void aVolumeIsMarkedBeforeThePodOfAFormerMemberGoes() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");

        for (int round = 0; situation.pods.containsKey("demo-3"); round++) {
            assertThat(round).isLessThan(100);
            VolumeState before = situation.volumes.get("demo-3");
            situation.step();
            assertThat(situation.pods.containsKey("demo-3") || before.removed() != null)
                    .isTrue();
        }
    }

    @Test
    void withRetainVolumesOfFormerMembersStay() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");

        situation.settle();

        assertThat(situation.volumes).containsKey("demo-3");
        assertThat(situation.volumes.get("demo-3").removed()).isNotNull();
    }

    @Test
    void withDeleteVolumesOfFormerMembersGoOnceTheirPodsHave() {
        Situation situation = Situation.running("{replicas: 4, storage: {retention: Delete}}")
                .spec("{replicas: 3, storage: {retention: Delete}}");

        for (int round = 0; situation.pods.containsKey("demo-3"); round++) {
            assertThat(round).isLessThan(100);
            assertThat(situation.volumes).containsKey("demo-3");
            situation.step();
        }
        situation.settle();

        assertThat(situation.volumes).doesNotContainKey("demo-3");
        assertThat(situation.performed).contains("delete volume demo-3");
    }

    @Test
    void aSizeThatNoVolumeCouldGetIsTakenBack() {
        Situation situation = Situation.running("").stingy().spec("storage: {size: 1000Gi}");
        situation.step();
        assertThat(situation.volumes.get("demo-1").size()).isEqualTo("1000Gi");

        situation.spec("storage: {size: 20Gi}").settle();

        assertThat(situation.volumes.values()).allMatch(volume -> volume.size().equals("20Gi"));
        assertThat(situation.performed).doesNotContain("remake default");
    }

    @Test
    void thatAVolumeCouldNotBecomeAsLargeIsNoTroubleOnceNobodyAsksForIt() {
        Situation situation = Situation.running("").stingy().spec("storage: {size: 1000Gi}");
        situation.step();
        situation.failToResize("demo-1", "no room");
        assertThat(situation.decide().trouble()).isEqualTo("the volume of demo-1: no room");

        Decision decision = situation.spec("storage: {size: 10Gi}").settle();

        assertThat(decision.trouble()).isNull();
    }

    @Test
    void aSizeBelowWhatAVolumeHasIsNotAskedFor() {
        Situation situation = Situation.running("storage: {size: 20Gi}").spec("storage: {size: 10Gi}");

        situation.settle();

        assertThat(situation.volumes.values()).allMatch(volume -> volume.size().equals("20Gi"));
    }

    /** Or it would be there for ever, with a pod that is no member's and a claim that can't go before it. */
    @Test
    void thePodOfAFormerMemberGoesThoughSomebodyDeletesItsVolumeAlready() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.stepUntil(() -> situation.topology().member("demo-3").isEmpty());
        situation.deleteVolume("demo-3");

        situation.settle();

        assertThat(situation.pods).doesNotContainKey("demo-3");
    }

    @Test
    void theVolumeOfAFormerMemberIsNeverUsedAgain() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.settle();

        Decision decision = situation.spec("replicas: 4").settle();

        assertThat(decision.membership().reason()).isEqualTo("KeptVolumes");
        assertThat(decision.membership().message()).contains("kubectl delete pvc data-demo-3 -n shop");
        assertThat(situation.pods).doesNotContainKey("demo-3");
    }

    @Test
    void aVolumeOfSomebodyElseIsNotGivenToANewNode() {
        Situation situation = Situation.running("").spec("replicas: 5");
        situation.strangers.add("demo-4");

        Decision decision = situation.settle();

        assertThat(decision.membership().reason()).isEqualTo("VolumesOfOthers");
        assertThat(decision.membership().message()).contains("kubectl delete pvc data-demo-4 -n shop");
        assertThat(situation.pods).doesNotContainKeys("demo-3", "demo-4");
    }

    @Test
    void onceItIsDeletedScalingGoesOn() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.settle();
        situation.spec("replicas: 4").settle();

        situation.volumes.remove("demo-3");
        situation.settle();

        assertThat(situation.topology().members()).hasSize(4);
    }

    @Test
    void theVolumeOfANodeThatWasNeverAMemberMayBeUsed() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.step(); // The pod runs.
        situation.spec("").settle();

        situation.spec("replicas: 4").settle();

        assertThat(situation.topology().members()).hasSize(4);
    }

    @Test
    void aCancelledChangeLeavesVolumesThatAreNotUsedAgainUnlessTheyAreDeleted() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.stepUntil(() -> situation.topology().isChanging());
        situation.spec("").settle();

        Decision decision = situation.spec("replicas: 4").settle();

        assertThat(decision.membership().reason()).isEqualTo("KeptVolumes");
    }

    @Test
    void raisingTheSizeExpandsVolumesAndThenRemakesTheSet() {
        Situation situation = Situation.running("").spec("storage: {size: 20Gi}");

        situation.settle();

        assertThat(situation.performed)
                .containsExactly("resize demo-0", "resize demo-1", "resize demo-2", "remake default");
        assertThat(situation.volumes.values()).allMatch(volume -> volume.size().equals("20Gi"));
    }

    /** Kubernetes lets go of what belongs to a StatefulSet by what it has seen, and would delete what it has not. */
    @Test
    void aSetThatOwnsItsVolumesIsNotRemadeBeforeItHasReleasedThem() {
        Situation situation = Situation.running("").ownedBySets().spec("storage: {size: 20Gi}");
        situation.resizeVolumes("20Gi");

        assertThat(situation.decide().actions()).noneMatch(action -> action instanceof Action.RemakeSet);

        situation.settle();
        assertThat(situation.performed).contains("remake default");
    }

    @ParameterizedTest
    @CsvSource({"Retain, NOBODY", "Delete, CLUSTER"})
    void volumesGoWithTheClusterOrWithNothing(Retention retention, VolumeOwner owner) {
        Situation situation = Situation.running("storage: {retention: " + retention + "}");

        assertThat(situation.volumes.values()).extracting(VolumeState::owner).containsOnly(owner);
    }

    @ParameterizedTest
    @CsvSource({"Retain, Delete, CLUSTER", "Delete, Retain, NOBODY"})
    void theOwnerOfVolumesFollowsTheSpec(Retention before, Retention now, VolumeOwner owner) {
        Situation situation =
                Situation.running("storage: {retention: " + before + "}").spec("storage: {retention: " + now + "}");

        assertThat(situation.decide().rollout().isDone()).isFalse();
        Decision decision = situation.settle();

        assertThat(situation.volumes.values()).extracting(VolumeState::owner).containsOnly(owner);
        assertThat(decision.rollout().isDone()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"Retain, NOBODY", "Delete, CLUSTER"})
    void volumesThatBelongToTheirSetAreTakenFromIt(Retention retention, VolumeOwner owner) {
        Situation situation =
                Situation.running("storage: {retention: " + retention + "}").ownedBySets();

        situation.settle();

        assertThat(situation.volumes.values()).extracting(VolumeState::owner).containsOnly(owner);
        assertThat(situation.performed).isEmpty();
    }

    /** Also that of a former member, which is still to be deleted or was kept until now. */
    @Test
    void theVolumeOfAFormerMemberGoesWithTheClusterAsWell() {
        Situation situation = Situation.running("{replicas: 4}").spec("{replicas: 3}");
        situation.settle();

        situation.spec("{replicas: 3, storage: {retention: Delete}}");

        assertThat(situation.decide().actions())
                .contains(new Action.OwnVolume(
                        "demo-3", situation.volumes.get("demo-3").uid()));
    }

    /** The scheduler writes to it, and would be refused. */
    @Test
    void aClaimIsNotTouchedBeforeItHasItsVolume() {
        Situation situation = Situation.running("storage: {retention: Delete}").ownedBySets();
        situation.unbind("demo-1");

        assertThat(situation.decide().actions())
                .filteredOn(Action.OwnVolume.class::isInstance)
                .extracting(action -> ((Action.OwnVolume) action).member())
                .contains("demo-0")
                .doesNotContain("demo-1");
    }

    /** What belongs to an earlier cluster is deleted by Kubernetes: an owner that exists would keep it. */
    @Test
    void aVolumeOfAnEarlierClusterIsLeftToKubernetes() {
        Situation situation = Situation.running("storage: {retention: Delete}");
        situation.own("demo-1", VolumeOwner.FORMER_CLUSTER);

        assertThat(situation.decide().actions()).noneMatch(action -> action instanceof Action.OwnVolume);
    }

    @Test
    void aSetIsNotRemadeWhileAPodOfItIsNew() {
        Situation situation = Situation.running("").spec("storage: {size: 20Gi}");
        situation.step();
        situation.pod("demo-1", pod -> new PodState(pod.uid(), pod.revision(), false, false, true, false, null));

        assertThat(situation.decide().actions()).noneMatch(action -> action instanceof Action.RemakeSet);
    }

    /** If it can't be made for a reason that shows only then, the others are to be left. */
    @Test
    void noSetIsRemadeWhileThatOfAnotherZoneIsAway() {
        String zones = "{replicas: 3, zones: [a, b, c], storage: {size: %s}}";
        Situation situation = Situation.running(zones.formatted("10Gi")).spec(zones.formatted("20Gi"));
        situation.step(); // The volumes are expanded.
        situation.step();
        assertThat(situation.performed.getLast()).isEqualTo("remake a");

        assertThat(situation.decide().actions()).noneMatch(action -> action instanceof Action.RemakeSet);

        situation.settle();
        assertThat(situation.performed).contains("remake a", "remake b", "remake c");
    }

    @Test
    void sizesAreComparedAsQuantities() {
        Situation situation = Situation.running("storage: {size: 1024Mi}").spec("storage: {size: 1Gi}");

        situation.settle();

        assertThat(situation.performed).isEmpty();
    }

    @Test
    void aVolumeThatSomebodyDeletesIsReplacedAndItsNodeRebuilt() {
        Situation situation = Situation.running("");
        long epoch = situation.topology().epoch();
        situation.deleteVolume("demo-1");

        situation.settle();

        assertThat(situation.performed).contains("replace demo-1");
        assertThat(situation.volumes.get("demo-1").terminating()).isFalse();
        assertThat(situation.topology().epoch()).isEqualTo(epoch + 1); // With the new disk recorded.
    }

    @Test
    void theNewDiskIsNotRecordedBeforeItHoldsEverything() {
        Situation situation = Situation.running("");
        situation.deleteVolume("demo-1");
        situation.step();
        situation.report("demo-1", report -> Reports.rebuilding(report, 17));

        Decision decision = situation.decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.serving()).doesNotContain("demo-1");
    }

    @Test
    void aSecondVolumeIsNotGivenUpWhileTheFirstIsRebuilt() {
        Situation situation = Situation.running("");
        situation.deleteVolume("demo-1");
        situation.step();
        situation.report("demo-1", report -> Reports.rebuilding(report, 17));
        situation.deleteVolume("demo-2");

        assertThat(situation.decide().actions()).noneMatch(action -> action instanceof Action.ReplacePod);
    }

    /** The first can't be rebuilt without the second. */
    @Test
    void aSecondVolumeIsGivenUpWhileTheFirstIsRebuiltIfItsNodeDoesNotRun() {
        Situation situation = Situation.running("");
        situation.deleteVolume("demo-0");
        situation.step();
        situation.report("demo-0", report -> Reports.rebuilding(report, 17));
        situation.reports.remove("demo-1");
        situation.pod(
                "demo-1", pod -> new PodState(pod.uid(), pod.revision(), false, false, false, false, "Unschedulable"));
        situation.deleteVolume("demo-1");

        assertThat(situation.decide().actions())
                .anyMatch(action ->
                        action instanceof Action.ReplacePod pod && pod.member().equals("demo-1"));
    }

    /** A process that ends may still write to it. */
    @Test
    void theVolumeOfAFormerMemberIsNotDeletedWhileItsPodIsThere() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        PodState pod = situation.pods.get("demo-3");
        situation.settle();
        situation.spec("storage: {retention: Delete}");
        situation.pods.put("demo-3", new PodState(pod.uid(), pod.revision(), false, true, true, false, null));

        assertThat(situation.decide().actions()).noneMatch(action -> action instanceof Action.DeleteVolume);

        situation.pods.remove("demo-3");
        assertThat(situation.decide().actions())
                .anyMatch(action -> action instanceof Action.DeleteVolume volume
                        && volume.member().equals("demo-3"));
    }

    @Test
    void claimsThatGetAnotherOwnerAreNamed() {
        Situation situation = Situation.running("").ownedBySets();

        assertThat(situation.decide().rollout().message())
                .startsWith("the volume claims data-demo-0, data-demo-1, data-demo-2 get the owner");
    }

    /** Nobody waits for it to grow. */
    @Test
    void theVolumeOfAFormerMemberThatCanNotBeExpandedIsNoTrouble() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.settle();
        situation.failToResize("demo-3", "the class can't expand");

        assertThat(situation.spec("storage: {size: 20Gi}").decide().trouble()).isNull();
    }

    /** The scheduler is about to change it, and would fail. */
    @Test
    void aClaimIsLeftAloneUntilItHasItsVolume() {
        Situation situation = Situation.running("");
        situation.unbind("demo-1");

        assertThat(situation.decide().actions()).isEmpty();

        situation.asking("storage: {size: 20Gi}");
        assertThat(situation.decide().actions())
                .noneMatch(action -> action instanceof Action.ResizeVolume volume
                        && volume.member().equals("demo-1"));
    }

    /** As local volumes are: their class can't expand, and a claim that asks for more would wait for ever. */
    @Test
    void nothingIsAskedOfVolumesThatAreLargeEnoughAlready() {
        Situation situation = Situation.running("");
        situation.provision("100Gi");

        Decision decision = situation.spec("storage: {size: 20Gi}").settle();

        assertThat(situation.performed).containsExactly("remake default");
        assertThat(situation.volumes.values()).allMatch(volume -> volume.size().equals("10Gi"));
        assertThat(decision.rollout().isDone()).isTrue();
    }

    /** It says whose the volume is: one of which nobody can tell is left alone, and the others are looked after. */
    @Test
    void aMarkThatIsNoNumberKeepsNothingElseFromBeingDone() {
        Situation situation = Situation.running("");
        situation.spoilMark("demo-1", "somebody wrote \"x\"");
        situation.spec("storage: {size: 20Gi}");

        Decision decision = situation.decide();

        assertThat(decision.trouble()).isEqualTo("somebody wrote \"x\"");
        assertThat(decision.actions())
                .contains(new Action.ResizeVolume("demo-0", "20Gi"), new Action.ResizeVolume("demo-2", "20Gi"))
                .doesNotContain(new Action.ResizeVolume("demo-1", "20Gi"));
    }

    @Test
    void aVolumeWhoseMarkIsNoNumberIsNotGivenToANewNode() {
        Situation situation = Situation.running("{replicas: 4}").spec("{replicas: 3}");
        situation.settle();
        situation.spoilMark("demo-3", "somebody wrote \"x\"");

        Decision decision = situation.spec("{replicas: 4}").settle();

        assertThat(decision.membership().reason()).isEqualTo("KeptVolumes");
        assertThat(situation.pods).doesNotContainKey("demo-3");
    }

    @Test
    void thePodThatHoldsTheOnlyCopyIsNotReplacedThoughItsClaimIsDeleted() {
        Situation situation = Situation.running("{replicas: 3, replicationFactor: 1}");
        situation.deleteVolume("demo-1");

        Decision decision = situation.settle();

        assertThat(situation.performed).doesNotContain("replace demo-1");
        assertThat(decision.rollout().stuck()).isTrue();
        assertThat(decision.rollout().reason()).isEqualTo("LastCopy");
        assertThat(decision.rollout().message())
                .contains("volume claim of demo-1")
                .endsWith("`kubectl delete pod demo-1 -n shop`");

        situation.newRevision("next"); // A broken pod is no reason either.
        situation.pod("demo-1", pod -> new PodState(pod.uid(), pod.revision(), false, false, true, false, "Error"));
        assertThat(situation.stepOften().rollout().reason()).isEqualTo("LastCopy");
        assertThat(situation.performed).noneMatch(done -> done.startsWith("replace"));
    }

    @Test
    void newDisksOfAllAreNeverHealthyUntilAPersonAcceptsTheLoss() {
        Situation situation = Situation.running("");
        long epoch = situation.topology().epoch();
        List.of("demo-0", "demo-1", "demo-2").forEach(situation::rebuildElsewhere);

        Decision decision = situation.settle();

        assertThat(situation.topology().epoch()).isEqualTo(epoch);
        assertThat(decision.membership().reason()).isEqualTo("DataLost");
        assertThat(decision.membership().message())
                .startsWith("all copies of 4096 of 4096 partitions are lost: demo-0, demo-1, demo-2")
                .endsWith("`kubectl annotate kvc demo -n shop --overwrite kvorum.dev/accept-data-loss=" + epoch + "`");

        assertThat(situation.acceptingLoss(epoch - 1).settle().membership().reason())
                .isEqualTo("DataLost");
        situation.acceptingLoss(epoch).settle();
        assertThat(situation.topology().epoch()).isEqualTo(epoch + 1);
    }

    /** It is told while they still rebuild from each other what none of them has. */
    @Test
    void theLossIsToldBeforeMembersHaveRebuiltFromEachOther() {
        Situation situation = Situation.running("");
        for (String id : List.of("demo-0", "demo-1", "demo-2")) {
            situation.rebuildElsewhere(id);
            situation.report(id, report -> Reports.rebuilding(report, 17));
        }

        assertThat(situation.decide().membership().reason()).isEqualTo("DataLost");
    }

    @Test
    void newDisksThatLeaveACopyOfEachPartitionAreRecorded() {
        Situation situation = Situation.running("");
        long epoch = situation.topology().epoch();
        situation.rebuildElsewhere("demo-0");
        situation.rebuildElsewhere("demo-1");

        situation.settle();

        assertThat(situation.topology().epoch()).isEqualTo(epoch + 1);
    }
}
