package dev.kvorum.history.check;

import static dev.kvorum.history.Told.delete;
import static dev.kvorum.history.Told.loss;
import static dev.kvorum.history.Told.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.check.Anomaly.Kind;
import org.junit.jupiter.api.Test;

class HiddenWritesTest {
    @Test
    void writeBelowOneThatHadEndedIsHidden() {
        Judged judged =
                Judged.of(write("a", 2).at(0, 1), write("b", 1).through("n2", 1).at(2, 3));

        assertThat(judged.anomalies()).containsExactly(Kind.HIDDEN_WRITE);
    }

    @Test
    void deletionBelowOneThatHadEndedIsHidden() {
        Judged judged =
                Judged.of(write("a", 2).at(0, 1), delete(1).through("n2", 1).at(2, 3));

        assertThat(judged.anomalies()).containsExactly(Kind.HIDDEN_WRITE);
    }

    @Test
    void writesInTheOrderOfTheirVersionsHideNothing() {
        Judged judged = Judged.of(
                write("a", 1).at(0, 1), write("b", 2).at(2, 3), delete(3).at(4, 5));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void writesThatWereUnderWayTogetherMayHaveAnyOrder() {
        Judged judged =
                Judged.of(write("a", 2).at(0, 3), write("b", 1).through("n2", 1).at(2, 4));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void quorumsWithoutACommonReplicaPromiseNothing() {
        Judged judged = Judged.of(
                write("a", 2).quorum(1, 3).at(0, 1),
                write("b", 1).through("n2", 1).quorum(2, 3).at(2, 3));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void replicaThatForgotWhatItAcknowledgedExcusesIt() {
        Judged judged = Judged.of(
                        write("a", 2).at(0, 1), write("b", 1).through("n2", 1).at(5, 6))
                .with(loss("n2", 0, 3));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void diskThatWasLostIsNoExcuseWhereClocksAgree() {
        Judged judged = Judged.of(
                        write("a", 2).at(0, 1), write("b", 1).through("n2", 1).at(5, 6))
                .with(loss("n2", 0, 3));
        Promises promises = Promises.ofPlainQuorums().withRebuiltDisks();

        assertThat(judged.under(promises.withAgreeingClocks()).anomalies()).contains(Kind.HIDDEN_WRITE);
        assertThat(judged.under(promises).anomalies()).isEmpty();
    }
}
