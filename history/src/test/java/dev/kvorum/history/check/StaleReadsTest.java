package dev.kvorum.history.check;

import static dev.kvorum.history.Told.delete;
import static dev.kvorum.history.Told.found;
import static dev.kvorum.history.Told.foundNothing;
import static dev.kvorum.history.Told.loss;
import static dev.kvorum.history.Told.regained;
import static dev.kvorum.history.Told.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.DiskLoss;
import dev.kvorum.history.check.Anomaly.Kind;
import org.junit.jupiter.api.Test;

class StaleReadsTest {
    private static final Promises TOMBSTONES_GO = Promises.ofPlainQuorums().withTombstonesGoing();

    @Test
    void readThatMissesAnAcknowledgedWriteIsStale() {
        Judged judged = Judged.of(
                write("old", 1).at(0, 1),
                write("new", 2).at(2, 3),
                found("old", 1).at(4, 5));

        assertThat(judged.anomalies()).containsExactly(Kind.STALE_READ);
    }

    @Test
    void readThatFindsNothingAfterAWriteIsStale() {
        Judged judged = Judged.of(write("a", 1).at(0, 1), foundNothing().at(2, 3));

        assertThat(judged.anomalies()).containsExactly(Kind.STALE_READ);
    }

    @Test
    void valueAfterItsDeletionIsBack() {
        Judged judged = Judged.of(
                write("a", 1).at(0, 1), delete(2).at(2, 3), found("a", 1).at(4, 5));

        assertThat(judged.anomalies()).containsExactly(Kind.DELETED_VALUE_BACK);
    }

    @Test
    void missedTombstoneIsStaleThoughNothingWasToBeFound() {
        Judged judged = Judged.of(delete(1).at(0, 1), foundNothing().at(2, 3));

        assertThat(judged.anomalies()).containsExactly(Kind.STALE_READ);
    }

    @Test
    void whereTombstonesGoNothingIsFoundAfterADeletion() {
        Judged judged = Judged.of(
                write("a", 1).at(0, 1), delete(2).at(2, 3), foundNothing().at(4, 5));

        assertThat(judged.under(TOMBSTONES_GO).anomalies()).isEmpty();
    }

    @Test
    void whereTombstonesGoADeletionOfUnknownFateMayHaveHidden() {
        Judged judged = Judged.of(
                write("a", 1).at(0, 1),
                delete(Outcome.UNKNOWN).at(2, 3),
                foundNothing().at(4, 5));

        assertThat(judged.under(TOMBSTONES_GO).anomalies()).isEmpty();
    }

    /** It is stamped by then, or never. */
    @Test
    void whereTombstonesGoADeletionOfUnknownFateHidesNothingOfMuchLater() {
        long second = 1_000;
        Judged judged = Judged.of(
                delete(Outcome.UNKNOWN).at(0, second),
                write("a", 1).at(32 * second, 33 * second),
                foundNothing().at(34 * second, 35 * second));
        Judged soon = Judged.of(
                delete(Outcome.UNKNOWN).at(0, second),
                write("a", 1).at(30 * second, 33 * second),
                foundNothing().at(34 * second, 35 * second));

        assertThat(judged.under(TOMBSTONES_GO).anomalies()).containsExactly(Kind.STALE_READ);
        assertThat(soon.under(TOMBSTONES_GO).anomalies()).isEmpty();
    }

    @Test
    void whereTombstonesGoAnOlderOrFailedDeletionHidesNothing() {
        Judged older = Judged.of(
                delete(1).at(0, 1), write("a", 2).at(2, 3), foundNothing().at(4, 5));
        Judged failed = Judged.of(
                write("a", 1).at(0, 1),
                delete(Outcome.FAILED).at(2, 3),
                foundNothing().at(4, 5));

        assertThat(older.under(TOMBSTONES_GO).anomalies()).containsExactly(Kind.STALE_READ);
        assertThat(failed.under(TOMBSTONES_GO).anomalies()).containsExactly(Kind.STALE_READ);
    }

    @Test
    void readThatBeganBeforeTheAcknowledgementMayMissTheWrite() {
        Judged judged = Judged.of(
                write("old", 1).at(0, 1),
                write("new", 2).at(2, 5),
                found("old", 1).at(4, 9));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void readThatBeganAtTheInstantOfTheAcknowledgementMayMissIt() {
        Judged judged = Judged.of(write("a", 1).at(0, 2), foundNothing().at(2, 3));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void diskThatIsLostAfterTheReadExcusesNothing() {
        Judged judged = Judged.of(
                write("a", 1).quorum(2, 3).at(0, 1), foundNothing().quorum(2, 3).at(4, 5));

        assertThat(judged.with(loss("n1", 0, 3)).anomalies()).isEmpty();
        assertThat(judged.with(loss("n1", 0, 6)).anomalies()).containsExactly(Kind.STALE_READ);
    }

    /** None that was rebuilt is given what was overwritten. */
    @Test
    void whereWritesAskForDifferentNumbersOfCopiesLostDisksAddUpThoughTheyWereRebuilt() {
        Promises rebuilt = Promises.ofPlainQuorums().withRebuiltDisks();
        Judged alike = Judged.of(
                write("a", 1).quorum(2, 3).at(0, 1), foundNothing().quorum(2, 3).at(8, 9));
        Judged mixed = Judged.of(
                write("b", 2).quorum(1, 1).at(6, 7),
                write("a", 3).quorum(2, 3).at(0, 1),
                foundNothing().quorum(2, 3).at(8, 9));
        DiskLoss[] losses = {regained("n1", 3, 4), regained("n2", 5, 6)};

        assertThat(alike.under(rebuilt).with(losses).anomalies()).containsExactly(Kind.STALE_READ);
        assertThat(mixed.under(rebuilt).with(losses).anomalies()).isEmpty();
    }

    @Test
    void quorumsThatDoNotOverlapPromiseNothing() {
        Judged judged = Judged.of(
                write("a", 1).quorum(2, 3).at(0, 1), foundNothing().quorum(1, 3).at(2, 3));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void quorumsOfDifferentSetsOverlapWhereTheirAcksExceedTheGreater() {
        Judged overlapping = Judged.of(
                write("a", 1).quorum(3, 5).at(0, 1), foundNothing().quorum(3, 3).at(2, 3));
        Judged apart = Judged.of(
                write("a", 1).quorum(3, 5).at(0, 1), foundNothing().quorum(2, 3).at(2, 3));

        assertThat(overlapping.anomalies()).containsExactly(Kind.STALE_READ);
        assertThat(apart.anomalies()).isEmpty();
    }

    @Test
    void writeOfUnknownFateMayBeSeenAndNotSeen() {
        Judged judged = Judged.of(
                write("a", 1).at(0, 1),
                write("b", Outcome.UNKNOWN).at(2, 3),
                found("b", 9).at(4, 5),
                found("a", 1).at(6, 7));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void readThatFindsTheNewerVersionIsNotStaleThoughItHidesALaterWrite() {
        Judged judged = Judged.of(
                write("fast clock", 9).through("n1", 1).at(0, 1),
                write("slow clock", 5).through("n2", 1).at(2, 3),
                found("fast clock", 9).at(4, 5));

        assertThat(judged.anomalies()).containsExactly(Kind.HIDDEN_WRITE);
    }

    @Test
    void readOfAHigherVersionThanTheAcknowledgedIsFine() {
        Judged judged = Judged.of(
                write("a", 1).at(0, 1),
                write("b", Outcome.UNKNOWN).at(0, 9),
                found("b", 7).at(2, 3));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void diskThatWasLostExcusesNoMoreThanItself() {
        Judged judged = Judged.of(
                write("a", 1).quorum(3, 3).at(0, 1), foundNothing().quorum(1, 3).at(5, 6));

        assertThat(judged.with(loss("n1", 0, 3)).anomalies()).isEmpty();
        assertThat(judged.with(loss("n1", 2, 3)).anomalies()).containsExactly(Kind.STALE_READ);
        assertThat(Judged.of(
                                write("a", 1).quorum(3, 3).at(0, 1),
                                foundNothing().quorum(2, 3).at(5, 6))
                        .with(loss("n1", 0, 3), loss("n1", 0, 4))
                        .anomalies())
                .containsExactly(Kind.STALE_READ);
    }

    @Test
    void diskThatIsRebuiltExcusesNothingAsLongAsAnotherHasIt() {
        Judged judged = Judged.of(write("a", 1).at(0, 1), foundNothing().at(5, 6))
                .under(Promises.ofPlainQuorums().withRebuiltDisks());

        assertThat(judged.with(loss("n1", 0, 3)).anomalies()).containsExactly(Kind.STALE_READ);
        assertThat(judged.with(loss("n1", 0, 3), loss("n2", 0, 4)).anomalies()).isEmpty();
        assertThat(judged.with(loss("n1", 1, 3)).anomalies())
                .as("a disk that lost its end")
                .containsExactly(Kind.STALE_READ);
        assertThat(judged.with(loss("n1", 0, 3), loss("n2", 1, 4)).anomalies()).isEmpty();
    }

    /** The newest has no copy there; and the one before is on no disk any more. */
    @Test
    void diskThatIsRebuiltIsNotGivenWhatWasOverwrittenWithFewerCopies() {
        Judged judged = Judged.of(
                        write("a", 1).quorum(2, 2).at(0, 1),
                        write("b", 2).quorum(1, 1).at(2, 3),
                        foundNothing().quorum(1, 2).at(8, 9))
                .under(Promises.ofPlainQuorums().withRebuiltDisks());

        assertThat(judged.anomalies()).as("while it has its disk").containsExactly(Kind.STALE_READ);
        assertThat(judged.with(loss("n1", 0, 5)).anomalies()).isEmpty();
    }

    @Test
    void keysHaveNothingToDoWithEachOther() {
        Judged judged = Judged.of(
                write("a", 1).on("one").at(0, 1), foundNothing().on("other").at(2, 3));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void readThatFailedHasFoundNothingWrong() {
        Judged judged = Judged.of(
                write("a", 1).at(0, 1),
                write("b", Outcome.UNKNOWN).at(2, 3),
                found("a", 1).at(4, 5));

        assertThat(judged.anomalies()).isEmpty();
    }
}
