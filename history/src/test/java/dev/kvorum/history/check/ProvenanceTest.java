package dev.kvorum.history.check;

import static dev.kvorum.history.Told.copy;
import static dev.kvorum.history.Told.delete;
import static dev.kvorum.history.Told.found;
import static dev.kvorum.history.Told.foundDeleted;
import static dev.kvorum.history.Told.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.History;
import dev.kvorum.history.Told;
import dev.kvorum.history.check.Anomaly.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProvenanceTest {
    @Test
    void valueThatNobodyWroteIsFound() {
        assertThat(Judged.of(found("a", 1).at(0, 1)).anomalies()).containsExactly(Kind.UNWRITTEN_VALUE);
    }

    @Test
    void valueOfAnotherKeyIsNotOfThisOne() {
        Judged judged =
                Judged.of(write("a", 1).on("other").at(0, 1), found("a", 1).at(2, 3));

        assertThat(judged.anomalies()).containsExactly(Kind.UNWRITTEN_VALUE);
    }

    @Test
    void valueThatIsWrittenLaterIsFoundTooEarly() {
        Judged judged =
                Judged.of(found("a", 1).through("n2", 1).at(0, 1), write("a", 1).at(2, 3));

        assertThat(judged.anomalies()).containsExactly(Kind.UNWRITTEN_VALUE);
    }

    @Test
    void valueOfAWriteUnderWayMayBeFound() {
        Judged judged = Judged.of(found("a", 1).at(1, 2), write("a", 1).at(0, 9));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void writeThatFailedMustNotBeFound() {
        Judged judged =
                Judged.of(write("a", Outcome.FAILED).at(0, 1), found("a", 1).at(2, 3));

        assertThat(judged.anomalies()).containsExactly(Kind.UNWRITTEN_VALUE);
    }

    @Test
    void writeOfUnknownFateMayBeFoundLongAfter() {
        Judged judged =
                Judged.of(write("a", Outcome.UNKNOWN).at(0, 1), found("a", 1).at(9_000, 9_001));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void noVersionOfAWriteIsAboveTheOneItWasAcknowledgedWith() {
        Judged judged = Judged.of(write("a", 1).at(0, 1), found("a", 2).at(4, 5));

        assertThat(judged.anomalies()).containsExactly(Kind.UNWRITTEN_VALUE);
    }

    /** It was stamped anew, as a replica had acknowledged a newer one. */
    @Test
    void writeMayHaveHadAnEarlierVersion() {
        Judged judged = Judged.of(
                write("a", 2).at(0, 3), found("a", 1).at(1, 2), found("a", 2).at(4, 5));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void oneVersionHasOneValue() {
        Judged judged = Judged.of(
                write("a", Outcome.UNKNOWN).at(0, 1),
                write("b", Outcome.UNKNOWN).at(0, 1),
                found("a", 1).at(2, 3),
                found("b", 1).at(4, 5));

        assertThat(judged.anomalies()).containsExactly(Kind.UNWRITTEN_VALUE);
    }

    @Test
    void valueIsNoDeletion() {
        Judged judged = Judged.of(write("a", 1).at(0, 1), foundDeleted(1).at(2, 3));

        assertThat(judged.anomalies()).containsExactly(Kind.UNWRITTEN_VALUE);
    }

    @Test
    void deletionOfUnknownFateMayBeMet() {
        Judged judged = Judged.of(
                write("a", 1).at(0, 1),
                delete(Outcome.UNKNOWN).at(2, 3),
                foundDeleted(2).at(4, 5));

        assertThat(judged.anomalies()).isEmpty();
    }

    /** As one through a node whose clock is wrong. */
    @Test
    void deletionThatFailedMustNotBeFound() {
        Judged judged = Judged.of(
                write("a", 1).at(0, 1),
                delete(Outcome.FAILED).at(2, 3),
                foundDeleted(2).at(4, 5));

        assertThat(judged.anomalies()).containsExactly(Kind.UNWRITTEN_VALUE);
    }

    @Test
    void deletionMayHaveHadAnEarlierVersionAndNoLaterOne() {
        assertThat(Judged.of(delete(2).at(0, 3), foundDeleted(1).at(1, 2)).anomalies())
                .isEmpty();
        assertThat(Judged.of(delete(2).at(0, 1), foundDeleted(3).at(2, 3)).anomalies())
                .containsExactly(Kind.UNWRITTEN_VALUE);
    }

    @Test
    void noDiskHoldsAWriteThatFailed() {
        Judged judged = Judged.of(write("a", Outcome.FAILED).at(0, 1)).with(copy("n1", "a", 1));

        assertThat(judged.anomalies()).containsExactly(Kind.UNWRITTEN_VALUE);
    }

    @Test
    void copyThatNobodyWroteIsFound() {
        History history = new History(List.of(), List.of(), List.of(Told.copy("n1", "rotten", 1)));

        assertThat(new Checker(Promises.ofPlainQuorums()).check(history))
                .extracting(Anomaly::kind)
                .containsExactly(Kind.UNWRITTEN_VALUE);
    }
}
