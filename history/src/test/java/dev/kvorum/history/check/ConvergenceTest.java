package dev.kvorum.history.check;

import static dev.kvorum.history.Told.copy;
import static dev.kvorum.history.Told.nothing;
import static dev.kvorum.history.Told.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Copy;
import dev.kvorum.history.Told;
import dev.kvorum.history.check.Anomaly.Kind;
import org.junit.jupiter.api.Test;

class ConvergenceTest {
    private static final Promises CONVERGENT = Promises.ofPlainQuorums().withConvergence();

    @Test
    void ownerWithAnOlderCellHasDiverged() {
        Judged judged = Judged.of().with(copy("n1", "new", 2), copy("n2", "new", 2), copy("n3", "old", 1));

        assertThat(judged.under(CONVERGENT).anomalies()).containsExactly(Kind.DIVERGED_COPIES);
        assertThat(judged.anomalies()).as("where that is not promised").isEmpty();
    }

    @Test
    void ownerWithNothingHasDiverged() {
        Judged judged = Judged.of().with(copy("n1", "a", 1), nothing("n2"));

        assertThat(judged.under(CONVERGENT).anomalies()).containsExactly(Kind.DIVERGED_COPIES);
    }

    @Test
    void differentValuesUnderOneVersionHaveDiverged() {
        Judged judged = Judged.of().with(copy("n1", "a", 1), copy("n2", "b", 1));

        assertThat(judged.under(CONVERGENT).anomalies()).containsExactly(Kind.DIVERGED_COPIES);
    }

    @Test
    void ownersThatHoldTheSameHaveConverged() {
        Judged judged = Judged.of().with(copy("n1", "a", 1), copy("n2", "a", 1));

        assertThat(judged.under(CONVERGENT).anomalies()).isEmpty();
    }

    @Test
    void ownersMustHoldWhatIsNewestAnywhere() {
        Copy stray = new Copy("n4", Told.KEY, false, Told.versionOf(2), "new");
        Judged judged = Judged.of().with(copy("n1", "old", 1), stray);

        assertThat(judged.under(CONVERGENT).anomalies()).contains(Kind.DIVERGED_COPIES);
    }

    @Test
    void oldCellWhereItDoesNotBelongHarmsNothing() {
        Copy stray = new Copy("n4", Told.KEY, false, Told.versionOf(1), "old");
        Judged judged = Judged.of().with(copy("n1", "new", 2), stray);

        assertThat(judged.under(CONVERGENT).anomalies()).isEmpty();
    }

    @Test
    void tombstoneThatIsGoneFromSomeHasConvergedWhereTombstonesGo() {
        Judged judged = Judged.of().with(tombstone("n1", 2), nothing("n2"));

        assertThat(judged.under(CONVERGENT).anomalies()).containsExactly(Kind.DIVERGED_COPIES);
        assertThat(judged.under(CONVERGENT.withTombstonesGoing()).anomalies()).isEmpty();
    }
}
