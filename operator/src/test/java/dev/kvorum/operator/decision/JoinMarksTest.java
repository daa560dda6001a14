package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of nodes whose volumes were marked for a change that did not begin. */
class JoinMarksTest {
    @Test
    void aChangeThatIsTakenBackBeforeItBeganEndsItsPodsAndReleasesItsVolumes() {
        Situation situation = marked("replicas: 5");

        Decision settled = situation.spec("").settle();

        assertThat(settled.membership().step()).isEqualTo(ChangePhase.None);
        assertThat(situation.pods).containsOnlyKeys("demo-0", "demo-1", "demo-2");
        assertThat(situation.volumes.get("demo-3").isUsed()).isFalse();
        assertThat(situation.volumes.get("demo-4").isUsed()).isFalse();
    }

    @Test
    void itsNodesMayJoinLater() {
        Situation situation = marked("replicas: 5");
        situation.spec("").settle();

        situation.spec("replicas: 5").settle();

        assertThat(situation.topology().members()).hasSize(5);
    }

    @Test
    void itsPodsAndMarksStayUntilNobodyCanBeginItAnyMore() {
        Situation situation = marked("replicas: 4");
        long epoch = situation.topology().epoch();

        situation.spec("").step();

        assertThat(situation.topology().epoch()).isEqualTo(epoch + 1);
        assertThat(situation.pods).containsKey("demo-3");
        assertThat(situation.volumes.get("demo-3").joined()).isEqualTo(epoch + 1);
    }

    /** A member without a process may know of it. */
    @Test
    void itIsNotTakenBackBeforeEachMemberCanBeAsked() {
        Situation situation = marked("replicas: 4");
        situation.lose("demo-1");

        Decision decision = situation.spec("").decide();

        assertThat(decision.publication()).isNull();
        assertThat(decision.membership().message())
                .startsWith(
                        "before the change that was to begin with demo-3 is taken back, waiting until demo-1 goes by epoch "
                                + situation.topology().epoch() + ". the change waits for demo-1");
    }

    @Test
    void whoWasAboutToBeginItComesTooLate() {
        Situation situation = marked("replicas: 4");
        Runnable late = situation.stepLate();
        situation.spec("").step();

        late.run();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 CURRENT");
    }

    @Test
    void whereItBeginsFirstItIsCancelledAsAnyOther() {
        Situation situation = marked("replicas: 4");
        Runnable late = situation.spec("").stepLate();
        situation.spec("replicas: 4").step();

        late.run();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 +3 CURRENT");
        assertThat(situation.pods).containsKey("demo-3");
        situation.spec("").settle();
        assertThat(situation.pods).hasSize(3);
    }

    @Test
    void whoWasAboutToEndItsPodsComesTooLateForMembersOfTheNextChange() {
        Situation situation = marked("replicas: 4");
        situation.spec("").step();
        Runnable late = situation.stepLate();
        situation.settle();
        situation.spec("replicas: 4").settle();
        String serving = situation.pods.get("demo-3").uid();

        late.run();

        assertThat(situation.pods.get("demo-3").uid()).isEqualTo(serving);
    }

    /** It has looked when there were three, and asks for three: it makes nothing smaller of what it has seen. */
    @Test
    void whoWasAboutToLeaveASetAsItWasComesTooLateWhereItHasGrown() {
        Situation situation = Situation.running("");
        Runnable late = situation.stepLate();
        situation.spec("replicas: 4").settle();

        late.run();

        assertThat(situation.pods).containsKey("demo-3");
    }

    @Test
    void whoWasAboutToMarkComesTooLateForVolumesThatWereMarkedSince() {
        Situation situation = Situation.running("").spec("replicas: 4");
        situation.step(); // The pod runs.
        Runnable late = situation.stepLate();
        situation.settle();
        Long joined = situation.volumes.get("demo-3").joined();

        late.run();

        assertThat(situation.volumes.get("demo-3").joined()).isEqualTo(joined);
    }

    @Test
    void whoIsAskedForAgainBeforeItsPodHasGoneBeginsAnew() {
        Situation situation = marked("replicas: 5");
        String former = situation.pods.get("demo-3").uid();
        situation.spec("").step();

        assertThat(situation.spec("replicas: 5").decide().membership().step()).isEqualTo(ChangePhase.Waiting);
        situation.settle();

        assertThat(situation.topology().members()).hasSize(5);
        assertThat(situation.pods.get("demo-3").uid()).isNotEqualTo(former);
    }

    @Test
    void ofTwoThatWereMarkedOnlyOneMayBeAskedForAfterAll() {
        Situation situation = marked("replicas: 5");

        situation.spec("replicas: 4").settle();

        assertThat(Situation.inWords(situation.topology())).isEqualTo("0 1 2 3 CURRENT");
        assertThat(situation.pods.keySet()).isEqualTo(Set.of("demo-0", "demo-1", "demo-2", "demo-3"));
        assertThat(situation.volumes.get("demo-4").isUsed()).isFalse();
    }

    @Test
    void nothingIsTakenBackWhileAMemberCanNotBeAsked() {
        Situation situation = marked("replicas: 4");
        situation.lose("demo-1");

        Decision waiting = situation.spec("").settle();

        assertThat(waiting.membership().step()).isEqualTo(ChangePhase.Cancelling);
        assertThat(waiting.membership().message()).contains("demo-3").contains("waiting until demo-1");
        assertThat(situation.pods).containsKey("demo-3");
    }

    /** As after a ConfigMap was restored from a backup: the volume may hold what it was given as a member. */
    @Test
    void aMarkOfAnEpochThatIsFartherAheadIsLeftAlone() {
        Situation situation = marked("replicas: 4");
        situation.markJoined("demo-3", situation.topology().epoch() + 2);

        situation.spec("").settle();

        assertThat(situation.volumes.get("demo-3").joined()).isNotNull();
        assertThat(situation.pods).containsKey("demo-3");
    }

    /** The volume of one that became a member is never taken for one that was missed. */
    @Test
    void aMemberOfACancelledChangeIsAFormerMember() {
        Situation situation = marked("replicas: 4");
        situation.step(); // It begins.

        situation.spec("").settle();

        assertThat(situation.volumes.get("demo-3").removed()).isNotNull();
    }

    /** Volumes are marked, and the change is about to begin. */
    private static Situation marked(String yaml) {
        Situation situation = Situation.running("").spec(yaml);
        situation.stepUntil(() -> situation.decide().publication() != null);
        assertThat(situation.topology().isChanging()).isFalse();
        return situation;
    }
}
