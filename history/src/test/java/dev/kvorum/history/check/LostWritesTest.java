package dev.kvorum.history.check;

import static dev.kvorum.history.Told.copy;
import static dev.kvorum.history.Told.delete;
import static dev.kvorum.history.Told.loss;
import static dev.kvorum.history.Told.nothing;
import static dev.kvorum.history.Told.regained;
import static dev.kvorum.history.Told.tombstone;
import static dev.kvorum.history.Told.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.check.Anomaly.Kind;
import org.junit.jupiter.api.Test;

class LostWritesTest {
    @Test
    void acknowledgedWriteThatNoDiskHoldsIsLost() {
        Judged judged = Judged.of(write("a", 1).at(0, 1)).with(nothing("n1"), nothing("n2"), nothing("n3"));

        assertThat(judged.anomalies()).containsExactly(Kind.LOST_WRITE);
    }

    @Test
    void fewerCopiesThanAcknowledgementsAreALoss() {
        Judged judged = Judged.of(write("a", 1).at(0, 1)).with(copy("n1", "a", 1), nothing("n2"), nothing("n3"));

        assertThat(judged.anomalies()).containsExactly(Kind.LOST_WRITE);
    }

    @Test
    void asManyCopiesAsAcknowledgementsAreEnough() {
        Judged judged = Judged.of(write("a", 1).at(0, 1)).with(copy("n1", "a", 1), copy("n2", "a", 1), nothing("n3"));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void newerCellStandsForTheOlder() {
        Judged judged = Judged.of(
                        write("a", 1).at(0, 1),
                        write("b", Outcome.UNKNOWN).at(2, 3),
                        delete(3).at(4, 5))
                .with(copy("n1", "b", 2), tombstone("n2", 3), tombstone("n3", 3));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void olderCellDoesNot() {
        Judged judged = Judged.of(write("old", 1).at(0, 1), write("new", 2).at(2, 3))
                .with(copy("n1", "old", 1), copy("n2", "new", 2), copy("n3", "old", 1));

        assertThat(judged.anomalies()).containsExactly(Kind.LOST_WRITE);
    }

    @Test
    void unacknowledgedWriteMayBeGone() {
        Judged judged =
                Judged.of(write("a", Outcome.UNKNOWN).at(0, 1)).with(nothing("n1"), nothing("n2"), nothing("n3"));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void asManyDisksAsAcknowledgedExcuseTheLoss() {
        Judged judged = Judged.of(write("a", 1).at(0, 2)).with(nothing("n1"), nothing("n2"), nothing("n3"));

        assertThat(judged.with(loss("n1", 1, 5), loss("n2", 0, 5)).anomalies()).isEmpty();
        assertThat(judged.with(loss("n1", 1, 5), loss("n1", 1, 6)).anomalies()).containsExactly(Kind.LOST_WRITE);
    }

    /** Never had fewer than one of two disks what both acknowledged: the second lost it when the first had it again. */
    @Test
    void diskThatHasRegainedItStandsForOneThatLosesItLater() {
        Judged judged = Judged.of(write("a", 1).at(0, 2)).with(nothing("n1"), nothing("n2"), nothing("n3"));

        assertThat(judged.with(regained("n1", 5, 7), regained("n2", 8, 9)).anomalies())
                .containsExactly(Kind.LOST_WRITE);
        assertThat(judged.with(regained("n1", 5, 7), regained("n2", 6, 9)).anomalies())
                .isEmpty();
    }

    @Test
    void diskThatLostOnlyWhatCameLaterExcusesNothing() {
        Judged judged = Judged.of(write("a", 1).quorum(1, 3).at(0, 2))
                .with(nothing("n1"), nothing("n2"), nothing("n3"))
                .with(loss("n1", 3, 5));

        assertThat(judged.anomalies()).containsExactly(Kind.LOST_WRITE);
    }

    @Test
    void droppedTombstoneIsNoLossWhereTombstonesGo() {
        Judged judged =
                Judged.of(write("a", 1).at(0, 1), delete(2).at(2, 3)).with(nothing("n1"), nothing("n2"), nothing("n3"));

        assertThat(judged.under(Promises.ofPlainQuorums().withTombstonesGoing()).anomalies())
                .isEmpty();
        assertThat(judged.anomalies()).containsExactly(Kind.LOST_WRITE, Kind.LOST_WRITE);
    }

    @Test
    void whereNobodyLookedNothingIsMissed() {
        assertThat(Judged.of(write("a", 1).at(0, 1)).anomalies()).isEmpty();
    }
}
