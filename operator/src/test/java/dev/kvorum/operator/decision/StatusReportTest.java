package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.Phase;
import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.topology.Topology;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person and a program read. */
class StatusReportTest {
    private static final String THEN = "2026-01-01T00:00:00Z";
    private static final String NOW = "2026-01-02T00:00:00Z";

    @Test
    void aRunningClusterIsReady() {
        KvorumClusterStatus status = status(Situation.running(""), null, NOW);

        assertThat(status.phase()).isEqualTo(Phase.Running);
        assertThat(condition(status, "Ready").getStatus()).isEqualTo("True");
        assertThat(condition(status, "Available").getStatus()).isEqualTo("True");
        assertThat(condition(status, "Degraded").getStatus()).isEqualTo("False");
        assertThat(status.lastError()).isNull();
        assertThat(status.change()).isNull();
        assertThat(status.members()).hasSize(3);
        assertThat(status.selector()).isEqualTo("app.kubernetes.io/instance=demo,app.kubernetes.io/name=kvorum-node");
    }

    @Test
    void everyConditionNamesTheGenerationThatItIsAbout() {
        KvorumClusterStatus status = status(Situation.running(""), null, NOW);

        assertThat(status.conditions()).hasSize(6).allMatch(condition -> condition.getObservedGeneration() == 7);
    }

    @Test
    void theTimeOfAConditionMovesOnlyWithItsStatus() {
        Situation situation = Situation.running("");
        KvorumClusterStatus before = status(situation, null, THEN);

        assertThat(condition(status(situation, before, NOW), "Ready").getLastTransitionTime())
                .isEqualTo(THEN);

        situation.cutOff("demo-1");

        assertThat(condition(status(situation, before, NOW), "Ready").getLastTransitionTime())
                .isEqualTo(NOW);
        assertThat(condition(status(situation, before, NOW), "Available").getLastTransitionTime())
                .isEqualTo(THEN);
    }

    @Test
    void aStatusThatHasNotChangedIsEqual() {
        Situation situation = Situation.running("");
        KvorumClusterStatus before = status(situation, null, THEN);

        assertThat(status(situation, before, NOW)).isEqualTo(before);
    }

    @Test
    void clientsAreServedWhileATopologyIsAdopted() {
        Situation situation = Situation.running("");
        Topology present = situation.topology();
        situation.newest(new Topology("shop/demo", present.epoch() + 4, 3, 4096, present.members()));

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(condition(status, "Available").getStatus()).isEqualTo("True");
        assertThat(condition(status, "Ready").getReason()).isEqualTo("Publishing");
        assertThat(status.phase()).isEqualTo(Phase.Updating);
    }

    /** Nobody should be woken for a network policy between the operator and nodes that serve. */
    @Test
    void whetherClientsAreServedIsNotKnownWhereReadyNodesCanNotBeAsked() {
        Situation situation = Situation.running("");
        List.of("demo-0", "demo-1", "demo-2").forEach(situation::unheard);

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(condition(status, "Available").getStatus()).isEqualTo("Unknown");
        assertThat(condition(status, "Available").getReason()).isEqualTo("NotReached");
        assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");

        situation.cutOff("demo-0");
        situation.cutOff("demo-1");

        assertThat(condition(status(situation, null, NOW), "Available").getReason())
                .isEqualTo("NoQuorum");
    }

    @Test
    void clientsAreServedThoughTheSpecContradictsTheTopology() {
        KvorumClusterStatus status = status(Situation.running("").spec("partitions: 128"), null, NOW);

        assertThat(condition(status, "Available").getStatus()).isEqualTo("True");
        assertThat(condition(status, "Valid").getReason()).isEqualTo("TopologyDiffers");
        assertThat(status.readyReplicas()).isEqualTo(3);
    }

    @Test
    void aNewClusterIsCreatingAndNotDegraded() {
        Situation situation = Situation.empty("");
        situation.step();

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(status.phase()).isEqualTo(Phase.Creating);
        assertThat(condition(status, "Degraded").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Progressing").getStatus()).isEqualTo("True");
    }

    @Test
    void aNewClusterWhosePodsCanNotBeMadeIsDegraded() {
        Situation situation = Situation.empty("");
        situation.step();
        situation.uncreated.put("demo-1", "exceeded quota");

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(condition(status, "Degraded").getStatus()).isEqualTo("True");
        assertThat(status.lastError()).isEqualTo("demo-1: exceeded quota");
    }

    @Test
    void aPodThatIsToBecomeAMemberAndDoesNotStartIsTold() {
        Situation situation = Situation.running("").spec("{replicas: 4}");
        KvorumClusterStatus before = status(situation, null, THEN);
        situation.step();
        situation.pod(
                "demo-3", pod -> new PodState(pod.uid(), pod.revision(), false, false, false, false, "ErrImagePull"));
        situation.reports.remove("demo-3");

        KvorumClusterStatus status = status(situation, before, NOW);

        assertThat(condition(status, "Degraded").getReason()).isEqualTo("PodTrouble");
        assertThat(status.lastError()).isEqualTo("demo-3: ErrImagePull");
        assertThat(condition(status, "Scaling").getMessage()).contains("demo-3 does not start: ErrImagePull");
    }

    @Test
    void whatFailsAsAWholeIsToldAndWhatWasFoundBeforeIsKept() {
        KvorumClusterStatus before = status(Situation.running(""), null, THEN);

        KvorumClusterStatus status = StatusReport.failed(before, "the topology can't be read", NOW);

        assertThat(status.lastError()).isEqualTo("the topology can't be read");
        assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Ready").getLastTransitionTime()).isEqualTo(NOW);
        assertThat(condition(status, "Degraded").getStatus()).isEqualTo("True");
        assertThat(condition(status, "Available")).isEqualTo(condition(before, "Available"));
        assertThat(status.members()).isEqualTo(before.members());
        assertThat(StatusReport.failed(status, "the topology can't be read", "later"))
                .isEqualTo(status);
    }

    @Test
    void whatFailsBeforeAnythingWasFoundIsToldAsWell() {
        KvorumClusterStatus status = StatusReport.failed(null, "the topology can't be read", NOW);

        assertThat(status.conditions()).hasSize(6);
        assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Available").getStatus()).isEqualTo("Unknown");
    }

    @Test
    void aLostMemberDegradesAndIsNamed() {
        Situation situation = Situation.running("");
        KvorumClusterStatus before = status(situation, null, THEN);
        situation.cutOff("demo-1");

        KvorumClusterStatus status = status(situation, before, NOW);

        assertThat(status.phase()).isEqualTo(Phase.Degraded);
        assertThat(condition(status, "Available").getStatus()).isEqualTo("True");
        assertThat(status.lastError()).contains("demo-1");
    }

    @Test
    void twoLostMembersCostTheQuorum() {
        Situation situation = Situation.running("");
        KvorumClusterStatus before = status(situation, null, THEN);
        situation.cutOff("demo-1");
        situation.cutOff("demo-2");

        KvorumClusterStatus status = status(situation, before, NOW);

        assertThat(condition(status, "Available").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Available").getMessage())
                .isEqualTo("partitions lack their quorum: demo-1, demo-2 can't be counted on");
    }

    @Test
    void membersThatHaveNotTakenTheLatestEpochYetServeAllTheSame() {
        Situation situation = Situation.running("");
        KvorumClusterStatus before = status(situation, null, THEN);
        long present = situation.topology().epoch();
        situation.reports.replaceAll((id, report) -> Reports.at(report, present - 1));

        KvorumClusterStatus status = status(situation, before, NOW);

        assertThat(condition(status, "Available").getStatus()).isEqualTo("True");
        assertThat(condition(status, "Degraded").getStatus()).isEqualTo("False");

        situation.reports.replaceAll((id, report) -> Reports.at(report, present - 2));
        assertThat(condition(status(situation, before, NOW), "Available").getStatus())
                .isEqualTo("False");
    }

    @Test
    void aMemberThatJoinsAndIsNotReadyYetIsNotMissing() {
        Situation situation = Situation.running("").spec("{replicas: 4}");
        KvorumClusterStatus before = status(situation, null, THEN);
        situation.stepUntil(() -> situation.topology().isChanging());

        situation.cutOff("demo-3");

        assertThat(condition(status(situation, before, NOW), "Degraded").getStatus())
                .isEqualTo("False");
    }

    @Test
    void aNewEpochIsGivenToAllNodesAsSoonAsItIsPublished() {
        Situation situation = Situation.running("replicas: 4").spec("{replicas: 3}");

        Decision decision = situation.decide();

        long next = situation.topology().epoch() + 1;
        assertThat(decision.publication()).isNotNull();
        assertThat(decision.announcements(situation.observed()))
                .hasSize(4)
                .allMatch(push ->
                        push instanceof Action.Push told && told.topology().epoch() == next);
    }

    /** Or who waits for it would go on before the first pod is replaced. */
    @Test
    void aClusterIsNotReadyWhenItsPodsAreAboutToBeReplaced() {
        Situation situation = Situation.running("");
        KvorumClusterStatus before = status(situation, null, THEN);

        KvorumClusterStatus status =
                new StatusReport(situation.observed(), situation.decide().awaitingSets(), 8, before, NOW).status();

        assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Progressing").getReason()).isEqualTo("Updating");
    }

    @Test
    void aRebuildIsTold() {
        Situation situation = Situation.running("");
        KvorumClusterStatus before = status(situation, null, THEN);
        situation.report("demo-1", report -> Reports.rebuilding(report, 17));

        assertThat(condition(status(situation, before, NOW), "Degraded").getReason())
                .isEqualTo("Rebuilding");
    }

    @Test
    void whatKeepsAPodFromRunningIsTheLastError() {
        Situation situation = Situation.running("");
        situation.newRevision("bad");
        situation.step();
        situation.pod(
                "demo-2",
                pod -> new PodState(
                        pod.uid(), pod.revision(), false, false, false, false, "ErrImagePull, no such image"));

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(status.lastError()).contains("demo-2").contains("no such image");
        assertThat(condition(status, "Degraded").getReason()).isEqualTo("UpdateStuck");
        assertThat(condition(status, "Progressing").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Progressing").getReason()).isEqualTo("UpdateStuck");
        assertThat(condition(status, "Progressing").getMessage()).contains("demo-2");
    }

    /** Who waits for Ready would go on beside pods that still end. */
    @Test
    void aClusterIsNotReadyWhilePodsOfFormerMembersEnd() {
        Situation situation = Situation.running("");
        PodState ending = situation.pods.get("demo-2");
        situation.pods.put("demo-3", new PodState("u", ending.revision(), true, true, true, false, null));

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Ready").getReason()).isEqualTo("Finishing");
        assertThat(condition(status, "Ready").getMessage()).isEqualTo("waiting until the pods of demo-3 have ended");

        situation.pods.remove("demo-3");
        assertThat(condition(status(situation, null, NOW), "Ready").getStatus()).isEqualTo("True");
    }

    @Test
    void aMemberThatJoinsAndCanBeAskedCountsForTheQuorumBeforeItsPodIsReady() {
        Situation situation = Situation.running("{replicas: 3}").spec("{replicas: 6}");
        situation.stepUntil(() -> situation.topology().isChanging());
        List.of("demo-3", "demo-4", "demo-5")
                .forEach(id -> situation.pod(
                        id, pod -> new PodState(pod.uid(), pod.revision(), false, false, true, false, null)));

        assertThat(condition(status(situation, null, NOW), "Available").getStatus())
                .isEqualTo("True");

        List.of("demo-3", "demo-4", "demo-5").forEach(situation.reports::remove);
        assertThat(condition(status(situation, null, NOW), "Available").getReason())
                .isEqualTo("NoQuorum");
    }

    @Test
    void whatMembersHoldIsToldAgainOnlyWhenItHasChangedByATenth() {
        Situation situation = Situation.running("");
        KvorumClusterStatus before = status(situation, null, THEN);
        long told = before.members().getFirst().bytes();

        situation.report("demo-0", report -> Reports.using(report, told + told / 20));
        assertThat(status(situation, before, NOW)).isEqualTo(before);

        situation.report("demo-0", report -> Reports.using(report, told * 2));
        assertThat(status(situation, before, NOW).members().getFirst().bytes()).isEqualTo(told * 2);
    }

    @Test
    void theSizeThatClaimsCanNotGoBelowIsTold() {
        Situation situation = Situation.running("");
        situation.provision("100Gi");
        assertThat(status(situation, null, NOW).volumeSize()).isEqualTo("10Gi");

        situation.stingy().spec("storage: {size: 200Gi}").step();
        assertThat(status(situation, null, NOW).volumeSize()).isEqualTo("100Gi");
    }

    @Test
    void scalingBelowTheReplicationFactorIsNotValid() {
        Situation situation = Situation.running("replicas: 5").spec("{replicas: 2}");

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(condition(status, "Valid").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Valid").getMessage()).contains("spec.replicas is 2");
    }

    @Test
    void aRunningChangeTellsItsProgress() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.stepUntil(() -> situation.topology().isChanging());
        situation.level();
        situation.report("demo-3", report -> Reports.verified(report, 30, 100));

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(status.phase()).isEqualTo(Phase.Scaling);
        assertThat(condition(status, "Scaling").getReason()).isEqualTo("Transferring");
        assertThat(status.change().transfer().partitionsVerified()).isEqualTo(60);
        assertThat(status.change().joining()).containsExactly("demo-3");
    }

    @Test
    void aPausedClusterSaysSo() {
        Situation situation = Situation.running("").spec("{paused: true, replicas: 5}");

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(status.phase()).isEqualTo(Phase.Paused);
        assertThat(condition(status, "Progressing").getReason()).isEqualTo("Paused");
        assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Ready").getReason()).isEqualTo("Paused");
    }

    /** As what its StatefulSets say, which decisions know nothing of. */
    @Test
    void aPausedClusterOfWhichAnythingIsHeldIsNotReady() {
        Situation situation = Situation.running("").spec("paused: true");
        Decision held = situation.decide().held();

        KvorumClusterStatus status = new StatusReport(situation.observed(), held, 7, null, NOW).status();

        assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Ready").getReason()).isEqualTo("Paused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{paused: true, storage: {size: 20Gi}}", "{paused: true, replicas: 4}"})
    void aPausedClusterThatIsNotAsAskedIsNotReady(String spec) {
        KvorumClusterStatus status = status(Situation.running("").spec(spec), null, NOW);

        assertThat(condition(status, "Ready").getReason()).isEqualTo("Paused");
    }

    /** Who deletes it while a StatefulSet is away would leave pods behind that nobody owns. */
    @Test
    void aClusterIsNotReadyUntilItsVolumesAndItsSetsAreAsLargeAsAsked() {
        Situation situation =
                Situation.running("storage: {retention: Delete}").spec("storage: {size: 20Gi, retention: Delete}");
        List<String> messages = new ArrayList<>();
        for (Condition ready = condition(status(situation, null, NOW), "Ready");
                ready.getStatus().equals("False");
                ready = condition(status(situation, null, NOW), "Ready")) {
            assertThat(ready.getReason()).isEqualTo("Updating");
            messages.add(ready.getMessage());
            situation.step();
        }

        assertThat(messages.getFirst()).startsWith("waiting for the volumes of demo-0, demo-1, demo-2 to have 20Gi");
        assertThat(messages)
                .anyMatch(message -> message.startsWith("a StatefulSet is made anew, so that new volumes get"));
        assertThat(messages.getLast()).isEqualTo(Rollout.AWAY.formatted("default"));
        assertThat(situation.performed).contains("remake default");
    }

    @Test
    void aPausedClusterThatIsAsAskedIsReady() {
        KvorumClusterStatus status = status(Situation.running("").spec("paused: true"), null, NOW);

        assertThat(condition(status, "Ready").getStatus()).isEqualTo("True");
    }

    @Test
    void beforeItsFirstTopologyAClusterHasNotStarted() {
        KvorumClusterStatus status = status(Situation.empty(""), null, NOW);

        assertThat(condition(status, "Available").getStatus()).isEqualTo("False");
        assertThat(condition(status, "Available").getReason()).isEqualTo("NotStarted");
    }

    @Test
    void aNewClusterThatCanNotBeginIsNotProgressing() {
        Situation situation = Situation.empty("");
        situation.strangers.add("demo-1");

        KvorumClusterStatus status = status(situation, null, NOW);

        assertThat(condition(status, "Degraded").getReason()).isEqualTo("VolumesOfOthers");
        assertThat(condition(status, "Progressing").getReason()).isEqualTo("Settled");
    }

    @Test
    void anActionThatFailsIsTold() {
        Situation situation = Situation.running("");

        KvorumClusterStatus status = new StatusReport(
                        situation.observed(), situation.decide().failing("the quota is spent"), 7, null, NOW)
                .status();

        assertThat(condition(status, "Degraded").getReason()).isEqualTo("Failing");
        assertThat(status.lastError()).isEqualTo("the quota is spent");
        assertThat(status.phase()).isEqualTo(Phase.Degraded);
    }

    @Test
    void thePodOfAMemberThatDoesNotRunIsNamedWithItsTrouble() {
        Situation situation = Situation.running("");
        KvorumClusterStatus before = status(situation, null, THEN);
        situation.pod(
                "demo-1", pod -> new PodState(pod.uid(), pod.revision(), false, false, false, false, "ErrImagePull"));
        situation.reports.remove("demo-1");

        KvorumClusterStatus status = status(situation, before, NOW);

        assertThat(condition(status, "Degraded").getReason()).isEqualTo("PodTrouble");
        assertThat(status.lastError()).isEqualTo("demo-1: ErrImagePull");

        situation.cutOff("demo-2");
        assertThat(status(situation, before, NOW).lastError()).isEqualTo("demo-1: ErrImagePull");
    }

    @Test
    void aPausedChangeSaysThatItIsPaused() {
        Situation situation = Situation.running("replicas: 4").spec("{paused: true, replicas: 3}");

        Condition before = condition(status(situation, null, NOW), "Scaling");
        assertThat(before.getReason()).isEqualTo("Paused");
        assertThat(before.getStatus()).isEqualTo("False");

        situation.spec("replicas: 3");
        situation.stepUntil(() -> situation.topology().isChanging());
        situation.stepUntil(() -> situation.decide().publication() != null);
        situation.spec("{paused: true, replicas: 3}");

        Condition meanwhile = condition(status(situation, null, NOW), "Scaling");
        assertThat(meanwhile.getReason()).isEqualTo("Paused");
        assertThat(meanwhile.getStatus()).isEqualTo("True");
    }

    @Test
    void aPausedClusterThatHasNothingToScaleIsSettled() {
        Condition scaling = condition(status(Situation.running("").spec("paused: true"), null, NOW), "Scaling");

        assertThat(scaling.getStatus()).isEqualTo("False");
        assertThat(scaling.getReason()).isEqualTo("Settled");
    }

    /** Kubernetes has not seen the spec yet: which pods are outdated is not known. */
    @Test
    void aPausedClusterWhoseSetsAreNotSeenYetIsNotReady() {
        Situation situation = Situation.running("").spec("paused: true");
        situation.sets.replaceAll((zone, set) -> new SetState(
                set.replicas(), false, false, set.revision(), set.volumeSize(), set.keepsVolumes(), set.version()));

        assertThat(condition(status(situation, null, NOW), "Ready").getReason()).isEqualTo("Paused");
    }

    @Test
    void aPausedClusterThatLacksAMemberFromTheBeginningIsNotReady() {
        Situation situation = Situation.running("").spec("paused: true");
        situation.cutOff("demo-1");

        Condition ready = condition(status(situation, null, NOW), "Ready");

        assertThat(ready.getStatus()).isEqualTo("False");
        assertThat(ready.getReason()).isEqualTo("MemberDown");
    }

    private static KvorumClusterStatus status(Situation situation, @Nullable KvorumClusterStatus before, String now) {
        return new StatusReport(situation.observed(), situation.decide(), 7, before, now).status();
    }

    private static Condition condition(KvorumClusterStatus status, String type) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }
}
