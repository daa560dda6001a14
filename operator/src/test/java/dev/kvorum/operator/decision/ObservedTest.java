package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.decision.Observed.Answers;
import dev.kvorum.topology.Member;
import org.junit.jupiter.api.Test;

class ObservedTest {
    @Test
    void aMemberThatPullsItsDataIsRebuilt() {
        Situation situation = Situation.running("");
        assertThat(situation.observed().isRebuilding()).isFalse();

        situation.report("demo-1", report -> Reports.rebuilding(report, 1));

        assertThat(situation.observed().isRebuilding()).isTrue();
    }

    /** The others refuse it: no rollout may count on it. */
    @Test
    void aMemberThatGoesByOtherContentsOfTheEpochIsNotHealthy() {
        Situation situation = Situation.running("");
        Member member = situation.topology().members().get(1);
        assertThat(situation.observed().isHealthy(member, situation.topology().epoch()))
                .isTrue();

        situation.report(member.id(), Reports::contradicting);

        assertThat(situation.observed().isHealthy(member, situation.topology().epoch()))
                .isFalse();
    }

    @Test
    void otherAnswersTakeThePlaceOfTheFirst() {
        Observed observed = Situation.running("").observed();

        Observed unheard = observed.with(Answers.none());

        assertThat(unheard.reports()).isEmpty();
        assertThat(unheard.pods()).isEqualTo(observed.pods());
    }

    /** A set that is made anew is away for a moment. */
    @Test
    void zonesOfMembersAreKnownWithoutTheirSets() {
        Situation situation = Situation.running("{replicas: 3, zones: [a, b, c]}");
        situation.spec("{replicas: 3, zones: [a, b, d]}");
        situation.sets.clear();

        assertThat(situation.observed().zones()).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    @Test
    void onlyAPersonEndsARefusalAnObstacleOrAPlanWithoutApproval() {
        assertThat(Situation.running("").decide().isForAPerson()).isFalse();
        assertThat(Situation.running("replicas: 5").spec("replicas: 2").decide().isForAPerson())
                .isTrue();
        assertThat(Situation.running("").spec("partitions: 128").decide().isForAPerson())
                .isTrue();
        Situation manual =
                Situation.running("scaling: {approval: Manual}").spec("{replicas: 4, scaling: {approval: Manual}}");
        assertThat(manual.decide().membership().step()).isEqualTo(ChangePhase.AwaitingApproval);
        assertThat(manual.decide().isForAPerson()).isTrue();
    }

    /** Something goes on meanwhile. */
    @Test
    void nothingIsForAPersonWhilePodsAreReplaced() {
        Situation situation = Situation.running("replicas: 5").spec("replicas: 2");
        situation.newRevision("r2");

        assertThat(situation.decide().isForAPerson()).isFalse();

        situation.lingering().step();
        assertThat(situation.decide().actions()).isEmpty();
        assertThat(situation.decide().isForAPerson()).isFalse();
    }
}
