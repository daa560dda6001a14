package dev.kvorum.history.check;

import static dev.kvorum.history.Told.delete;
import static dev.kvorum.history.Told.found;
import static dev.kvorum.history.Told.foundDeleted;
import static dev.kvorum.history.Told.loss;
import static dev.kvorum.history.Told.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Operation;
import dev.kvorum.history.check.Anomaly.Kind;
import org.junit.jupiter.api.Test;

class BackwardReadsTest {
    private static final Promises MONOTONIC = Promises.ofPlainQuorums().withMonotonicReads();
    private static final Operation OLD = write("old", 1).at(0, 1);
    private static final Operation UNKNOWN = write("new", Outcome.UNKNOWN).at(2, 3);

    @Test
    void readThatMissesWhatAnEarlierOneFoundWentBack() {
        Judged judged = Judged.of(
                OLD, UNKNOWN, found("new", 2).at(4, 5), found("old", 1).at(6, 7));

        assertThat(judged.under(MONOTONIC).anomalies()).containsExactly(Kind.BACKWARD_READ);
        assertThat(judged.anomalies()).as("where that is not promised").isEmpty();
    }

    @Test
    void readsAtTheSameTimeMayDiffer() {
        Judged judged = Judged.of(
                OLD, UNKNOWN, found("new", 2).at(4, 7), found("old", 1).at(6, 9));

        assertThat(judged.under(MONOTONIC).anomalies()).isEmpty();
    }

    @Test
    void readsWhoseQuorumsDoNotOverlapMayDiffer() {
        Judged judged = Judged.of(
                OLD,
                UNKNOWN,
                found("new", 2).quorum(1, 3).at(4, 5),
                found("old", 1).quorum(2, 3).at(6, 7));

        assertThat(judged.under(MONOTONIC).anomalies()).isEmpty();
    }

    @Test
    void lostDiskMayTakeAReadBack() {
        Judged judged = Judged.of(
                OLD, UNKNOWN, found("new", 2).at(4, 5), found("old", 1).at(6, 7));

        assertThat(judged.with(loss("n1", 2, 5)).under(MONOTONIC).anomalies()).isEmpty();
    }

    /** What is on one disk only is not given back to it. */
    @Test
    void diskThatIsRebuiltExcusesNothingAsLongAsAnotherHasWhatWasFound() {
        Operation found = found("new", 2).quorum(2, 2).at(4, 5);
        Operation old = found("old", 1).quorum(2, 2).at(8, 9);
        Promises rebuilt = MONOTONIC.withRebuiltDisks();

        Judged onTwo = Judged.of(OLD, write("new", Outcome.UNKNOWN).quorum(2, 2).at(2, 3), found, old);
        Judged onOne = Judged.of(OLD, write("new", Outcome.UNKNOWN).quorum(1, 1).at(2, 3), found, old);

        assertThat(onTwo.with(loss("n1", 0, 6)).under(rebuilt).anomalies()).containsExactly(Kind.BACKWARD_READ);
        assertThat(onOne.under(rebuilt).anomalies()).containsExactly(Kind.BACKWARD_READ);
        assertThat(onOne.with(loss("n1", 0, 6)).under(rebuilt).anomalies()).isEmpty();
    }

    @Test
    void replicasBeyondTheCopiesOfTheWriteHoldNothing() {
        Operation written = write("new", Outcome.UNKNOWN).quorum(2, 3).at(2, 3);
        Operation found = found("new", 2).quorum(3, 5).at(4, 5);

        Judged fromFive =
                Judged.of(OLD, written, found, found("old", 1).quorum(3, 5).at(6, 7));
        Judged fromThree =
                Judged.of(OLD, written, found, found("old", 1).quorum(3, 3).at(6, 7));

        assertThat(fromFive.under(MONOTONIC).anomalies()).isEmpty();
        assertThat(fromThree.under(MONOTONIC).anomalies()).containsExactly(Kind.BACKWARD_READ);
    }

    @Test
    void deletionOfUnknownFateMayHaveAnyNumberOfCopies() {
        Judged judged = Judged.of(
                OLD,
                delete(Outcome.UNKNOWN).at(2, 3),
                foundDeleted(2).at(4, 5),
                found("old", 1).at(6, 7));

        assertThat(judged.under(MONOTONIC).anomalies()).isEmpty();
    }
}
