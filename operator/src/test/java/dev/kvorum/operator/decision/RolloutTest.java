package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.SetState;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How pods are replaced. */
class RolloutTest {
    @Test
    void outdatedPodsAreReplacedFromTheHighestOrdinalOnOneAtATime() {
        Situation situation = Situation.running("");
        situation.newRevision("r2");

        situation.settle();

        assertThat(situation.performed).containsExactly("replace demo-2", "replace demo-1", "replace demo-0");
    }

    @Test
    void noneIsReplacedUntilTheLastOneServes() {
        Situation situation = Situation.running("");
        situation.newRevision("r2");
        situation.step();
        situation.pod("demo-2", pod -> new PodState(pod.uid(), pod.revision(), false, false, true, false, null));

        Decision decision = situation.decide();

        assertThat(replaced(decision)).isEmpty();
        assertThat(decision.rollout().stuck()).isFalse();
    }

    /** Whatever the quorums would allow. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{replicas: 3, replicationFactor: 1}",
                "quorum: {read: 1, write: 1}",
                "{replicas: 6, zones: [a, b, c], quorum: {read: 1, write: 1}}"
            })
    void noneIsReplacedWhileAnotherStillEnds(String spec) {
        Situation situation = Situation.running(spec).lingering();
        situation.newRevision("r2");
        int members = situation.topology().members().size();

        for (int count = 1; count <= members; count++) {
            situation.stepOften();
            assertThat(situation.performed).hasSize(count);
            situation.end(situation.performed.getLast().substring("replace ".length()));
        }

        situation.settle();
        assertThat(situation.performed).doesNotHaveDuplicates().hasSize(members);
    }

    /** Overload or a bad network makes all of them unready at once; other members still ask them. */
    @Test
    void ofPodsThatAreNotReadyAndStillAnswerOnlyOneIsAwayAtATime() {
        Situation situation = Situation.running("").lingering();
        situation.newRevision("r2");
        for (String id : List.of("demo-0", "demo-1", "demo-2")) {
            situation.pod(id, pod -> new PodState(pod.uid(), pod.revision(), false, false, true, false, null));
        }

        situation.stepOften();

        assertThat(situation.performed).hasSize(1);
    }

    /** As where a network policy needs a label that the former spec did not give: their kubelets find nothing wrong. */
    @Test
    void podsThatAreReadyAndCanNotBeAskedGetTheCorrectedSpecOneAtATime() {
        Situation situation = Situation.running("").lingering();
        situation.newRevision("r2");
        List.of("demo-0", "demo-1", "demo-2").forEach(situation::unheard);

        situation.stepOften();
        assertThat(situation.performed).containsExactly("replace demo-2");
        situation.end("demo-2");
        situation.stepOften();
        assertThat(situation.performed).containsExactly("replace demo-2", "replace demo-1");
    }

    /** Clients may be served by it. */
    @Test
    void aReadyPodThatCanNotBeAskedIsNotReplacedWhileAnotherIsNotReady() {
        Situation situation = Situation.running("").lingering();
        situation.newRevision("r2");
        situation.unheard("demo-2");
        situation.pod("demo-1", pod -> new PodState(pod.uid(), pod.revision(), false, false, true, false, null));

        assertThat(replaced(situation.decide())).containsExactly("demo-1");

        situation.pod("demo-1", pod -> new PodState(pod.uid(), "r2", false, false, true, false, null));

        assertThat(replaced(situation.decide())).isEmpty();
    }

    /** It may be ready as well, and lacks what the others hold. */
    @Test
    void aReadyPodThatCanNotBeAskedIsNotReplacedWhileAnotherIsRebuilt() {
        Situation situation = Situation.running("");
        situation.newRevision("r2");
        situation.unheard("demo-2");
        situation.report("demo-0", report -> Reports.rebuilding(report, 3));
        situation.pod("demo-0", pod -> new PodState(pod.uid(), "r2", true, false, true, false, null));

        assertThat(replaced(situation.decide())).isEmpty();

        situation.pod("demo-0", pod -> new PodState(pod.uid(), "r1", true, false, true, false, null));

        assertThat(replaced(situation.decide())).containsExactly("demo-0"); // It serves no reads anyway.
    }

    @Test
    void aReadyPodThatCanNotBeAskedIsNotReplacedWhileMembersChange() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.stepUntil(() -> situation.topology().isChanging());
        situation.newRevision("r2");
        situation.unheard("demo-2");

        assertThat(replaced(situation.decide())).isEmpty();
        assertThat(situation.decide().membership().message()).contains("kubectl delete pod demo-2 -n shop");
    }

    /** It has missed a push: it serves by the epoch before, and knows the present one from others soon. */
    @Test
    void aPodThatIsOneEpochBehindIsNotReplacedForThat() {
        Situation situation = Situation.running("quorum: {read: 3, write: 3}");
        situation.newRevision("r2");
        situation.report("demo-0", report -> Reports.at(report, report.epoch() - 1));
        situation.report("demo-1", report -> Reports.at(report, report.epoch() - 1));

        assertThat(replaced(situation.decide())).isEmpty();
    }

    @Test
    void aFormerPodThatDoesNotEndKeepsNobodyFromBeingReplaced() {
        Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
        situation.stepUntil(() -> situation.topology().member("demo-3").isEmpty());
        situation.pod("demo-3", pod -> new PodState(pod.uid(), pod.revision(), true, true, true, false, null));
        situation.level();
        situation.newRevision("r2");

        assertThat(replaced(situation.decide())).containsExactly("demo-2");
    }

    @Test
    void noneIsReplacedWhileAnotherLagsThoughReadsAndWritesAskForOneReplicaOnly() {
        Situation situation = Situation.running("quorum: {read: 1, write: 1}");
        situation.newRevision("r2");
        situation.report("demo-0", report -> Reports.rebuilding(report, 3));

        assertThat(replaced(situation.decide())).containsExactly("demo-0").doesNotContain("demo-1", "demo-2");
    }

    @Test
    void aBadImageStopsAfterTheFirstPod() {
        Situation situation = Situation.running("");
        situation.newRevision("bad");
        situation.step();
        situation.pod("demo-2", RolloutTest::broken);
        situation.reports.remove("demo-2");

        for (int round = 0; round < 10; round++) {
            situation.step();
        }

        assertThat(situation.performed).containsExactly("replace demo-2");
        assertThat(situation.decide().rollout().stuck()).isTrue();
        assertThat(situation.decide().rollout().message()).contains("demo-2").contains("ErrImagePull");
    }

    @Test
    void aPodThatKubernetesCanNotMakeStopsIt() {
        Situation situation = Situation.running("");
        situation.newRevision("too-large");
        situation.pods.remove("demo-2");
        situation.reports.remove("demo-2");
        situation.uncreated.put("demo-2", "exceeded quota");

        RolloutStep step = situation.decide().rollout();

        assertThat(step.stuck()).isTrue();
        assertThat(step.message()).contains("demo-2").contains("exceeded quota");
    }

    @Test
    void aPodThatDoesNotEndStopsIt() {
        Situation situation = Situation.running("").lingering();
        situation.newRevision("r2");
        situation.step();
        situation.pod(
                "demo-2", pod -> new PodState(pod.uid(), pod.revision(), false, true, true, false, "it does not end"));

        RolloutStep step = situation.decide().rollout();

        assertThat(step.stuck()).isTrue();
        assertThat(step.message()).contains("demo-2").contains("it does not end");
    }

    @Test
    void aCorrectedSpecReachesTheBrokenPodFirst() {
        Situation situation = Situation.running("");
        situation.newRevision("bad");
        situation.step();
        situation.pod("demo-2", RolloutTest::broken);
        situation.newRevision("good");

        situation.settle();

        assertThat(situation.performed)
                .containsExactly("replace demo-2", "replace demo-2", "replace demo-1", "replace demo-0");
    }

    @Test
    void aPodThatTheOldSpecHasBrokenIsReplacedFirstWhereverItIs() {
        Situation situation = Situation.running("");
        situation.pod("demo-0", RolloutTest::broken);
        situation.newRevision("more-memory");

        assertThat(replaced(situation.decide())).containsExactly("demo-0");
        assertThat(situation.decide().rollout().message()).contains("does not run as it should anyway");
    }

    @Test
    void noPodIsReplacedWhoseAbsenceWouldCostAQuorum() {
        Situation situation = Situation.running("");
        situation.newRevision("r2");
        situation.step();
        situation.cutOff("demo-0"); // Outdated, but it is replaced at once as it does not serve.

        assertThat(replaced(situation.decide())).containsExactly("demo-0");

        situation.pod("demo-0", pod -> new PodState(pod.uid(), "r2", false, false, true, false, null));

        assertThat(replaced(situation.decide())).isEmpty();
    }

    @Test
    void anUnevenNodeIsNoReasonToCountOnIt() {
        Situation situation = Situation.running("");
        situation.newRevision("r2");
        situation.report("demo-0", report -> Reports.at(report, report.epoch() - 1));

        Decision decision = situation.decide();

        assertThat(replaced(decision)).doesNotContain("demo-1", "demo-2");
    }

    @Test
    void withoutAnyReplicaToSpareTheyAreStillReplacedOneAtATime() {
        Situation situation = Situation.running("{replicas: 1, replicationFactor: 1}");
        situation.newRevision("r2");

        situation.settle();

        assertThat(situation.performed).containsExactly("replace demo-0");
    }

    @Test
    void writesOfAllCopiesDoNotKeepPodsFromBeingReplaced() {
        Situation situation = Situation.running("quorum: {write: 3}");
        situation.newRevision("r2");

        situation.settle();

        assertThat(situation.performed).hasSize(3);
    }

    @Test
    void noServingPodIsReplacedWhileMembersChange() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.stepUntil(() -> situation.topology().isChanging());
        situation.level();
        situation.report("demo-3", report -> Reports.verified(report, 1, 2));
        situation.newRevision("r2");

        assertThat(replaced(situation.decide())).isEmpty();
    }

    @Test
    void membersDoNotBeginToChangeWhilePodsAreReplaced() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.newRevision("r2");

        Decision decision = situation.decide();

        assertThat(decision.membership().step()).isEqualTo(ChangePhase.Waiting);
        assertThat(decision.membership().message()).startsWith("waiting until all pods are as the spec says: ");
        assertThat(decision.sets()).containsEntry("default", 3);
    }

    @Test
    void nothingIsReplacedBeforeKubernetesHasSeenTheSpec() {
        Situation situation = Situation.running("");
        situation.sets.replaceAll((zone, set) ->
                new SetState(set.replicas(), false, false, "", set.volumeSize(), set.keepsVolumes(), "1"));

        assertThat(replaced(situation.decide())).isEmpty();
    }

    /** Kubernetes has written the status of a deleted set to the one in its place, and would leave it so. */
    @Test
    void aStatusThatIsOfTheSetBeforeIsTakenBackAndThenTheRolloutGoesOn() {
        Situation situation = Situation.running("");
        situation.newRevision("r2");
        situation.sets.replaceAll((zone, set) ->
                new SetState(set.replicas(), false, true, "", set.volumeSize(), set.keepsVolumes(), "1"));

        Decision decision = situation.step();

        assertThat(replaced(decision)).isEmpty();
        assertThat(situation.performed).containsExactly("take back the status of default");

        situation.settle();
        assertThat(situation.pods.values()).allMatch(pod -> pod.revision().equals("r2"));
        assertThat(situation.performed).containsOnlyOnce("take back the status of default");
    }

    /** Its volume is empty, and nobody counts on it. */
    @Test
    void aPodThatIsToBecomeAMemberGetsTheCorrectedSpecAtOnce() {
        Situation situation = startingFourth();

        RolloutStep step = situation.decide().rollout();

        assertThat(replaced(situation.decide())).containsExactly("demo-3");
        assertThat(step.message()).contains("demo-3").contains("no member yet");
    }

    @Test
    void aPodThatIsToBecomeAMemberAndEndsIsNotReplacedAgain() {
        Situation situation = startingFourth();
        situation.pod("demo-3", pod -> new PodState(pod.uid(), pod.revision(), true, true, true, false, null));

        assertThat(replaced(situation.decide())).containsExactly("demo-2");
    }

    /** Its volume says that it was a member: what it holds may be missed. */
    @Test
    void thePodOfAFormerMemberIsNotReplacedAsOneThatStarts() {
        for (long joined : List.of(0L, 1L)) {
            Situation situation = startingFourth();
            situation.markJoined("demo-3", situation.topology().epoch() - joined);

            assertThat(replaced(situation.decide())).doesNotContain("demo-3");
        }
        Situation marked = startingFourth();
        marked.markJoined("demo-3", marked.topology().epoch() + 1);
        assertThat(replaced(marked.decide())).containsExactly("demo-3");
    }

    private static Situation startingFourth() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.stepUntil(() -> situation.pods.containsKey("demo-3"));
        assertThat(situation.topology().isChanging()).isFalse();
        situation.newRevision("r2");
        return situation;
    }

    /** One copy may be enough for a request; but whoever lacks data needs the others. */
    @Test
    void noneIsReplacedWhileTwoOthersAreRebuilt() {
        Situation situation = Situation.running("quorum: {read: 1, write: 1}");
        situation.newRevision("r2");
        situation.report("demo-0", report -> Reports.rebuilding(report, 3));
        situation.report("demo-1", report -> Reports.rebuilding(report, 3));

        assertThat(replaced(situation.decide())).isEmpty();
        assertThat(situation.decide().rollout().message()).startsWith("waiting until all others serve");
    }

    /** It serves, but not by the present epoch. */
    @Test
    void ofPodsOfWhichOneIsAnEpochBehindThatOneIsReplacedFirst() {
        Situation situation = Situation.running("quorum: {read: 1, write: 1}");
        situation.newRevision("r2");
        situation.report("demo-0", report -> Reports.at(report, report.epoch() - 1));

        assertThat(replaced(situation.decide())).containsExactly("demo-0");
    }

    @Test
    void whatKeepsTheNextPodFromBeingReplacedIsTold() {
        String before = "no further pod is replaced until demo-1 serves: ";
        Situation situation = Situation.running("");
        situation.newRevision("r2");
        situation.pod("demo-1", pod -> new PodState(pod.uid(), "r2", false, false, true, false, null));
        assertThat(situation.decide().rollout().message()).isEqualTo(before + "it is not ready");

        situation.pod("demo-1", pod -> new PodState(pod.uid(), "r2", true, false, true, false, null));
        situation.report("demo-1", report -> Reports.at(report, report.epoch() - 1));
        assertThat(situation.decide().rollout().message()).isEqualTo(before + "it is not level with the others yet");

        situation.pods.remove("demo-1");
        situation.reports.remove("demo-1");
        assertThat(situation.decide().rollout().message()).isEqualTo(before + "it has no pod");
    }

    private static PodState broken(PodState pod) {
        return new PodState(pod.uid(), pod.revision(), false, false, false, false, "ErrImagePull");
    }

    private static List<String> replaced(Decision decision) {
        return decision.actions().stream()
                .flatMap(action -> action instanceof Action.ReplacePod pod ? Stream.of(pod.member()) : Stream.empty())
                .toList();
    }
}
