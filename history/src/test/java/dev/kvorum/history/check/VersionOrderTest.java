package dev.kvorum.history.check;

import static dev.kvorum.history.Told.found;
import static dev.kvorum.history.Told.loss;
import static dev.kvorum.history.Told.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Operation;
import dev.kvorum.history.check.Anomaly.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class VersionOrderTest {
    private static final Promises CLOCKS_AGREE = Promises.ofPlainQuorums().withAgreeingClocks();

    @Test
    void twoWritesUnderOneVersionAreFoundOnWhateverKeys() {
        Judged judged = Judged.of(
                write("a", 1).on("one").through("n1", 1).at(0, 9),
                write("b", 1).on("other").through("n2", 1).at(0, 9));

        assertThat(judged.anomalies()).containsExactly(Kind.VERSION_ORDER);
    }

    @Test
    void nodeThatIssuesALowerVersionThanBeforeIsFound() {
        Judged judged = Judged.of(
                write("a", 5).on("one").at(0, 1), write("b", 4).on("other").at(2, 3));

        assertThat(judged.anomalies()).containsExactly(Kind.VERSION_ORDER);
    }

    @Test
    void laterLifeMayBeginALittleBelowAFormerOneAndNotMore() {
        Judged judged = Judged.of(
                write("a", 5000).on("one").through("n1", 1).at(0, 1),
                write("b", 3500).on("other").through("n1", 2).at(2, 3));

        assertThat(judged.under(CLOCKS_AGREE.withForgottenMax(Duration.ofMillis(1500)))
                        .anomalies())
                .isEmpty();
        assertThat(judged.under(CLOCKS_AGREE.withForgottenMax(Duration.ofMillis(1499)))
                        .anomalies())
                .containsExactly(Kind.VERSION_ORDER);
    }

    @Test
    void lifeThatHasBegunMustRiseFromThere() {
        Judged judged = Judged.of(
                write("a", 5000).on("one").through("n1", 1).at(0, 1),
                write("b", 3500).on("other").through("n1", 2).at(2, 3),
                write("c", 3499).on("third").through("n1", 2).at(4, 5));

        assertThat(judged.anomalies()).containsExactly(Kind.VERSION_ORDER);
    }

    @Test
    void whereLivesAreUnknownAnyWriteMayBeOfAnotherOne() {
        Judged judged = Judged.of(
                write("a", 5).on("one").through("n1", Operation.LIFE_UNKNOWN).at(0, 1),
                write("b", 4).on("other").through("n1", Operation.LIFE_UNKNOWN).at(2, 3));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void nodeThatWritesBelowWhatItHasReadIsFound() {
        Judged judged = Judged.of(
                write("a", Outcome.UNKNOWN).through("n2", 1).at(0, 1),
                found("a", 9).at(2, 3),
                write("b", 5).on("other").at(4, 5));

        assertThat(judged.under(CLOCKS_AGREE).anomalies()).containsExactly(Kind.VERSION_ORDER);
    }

    /** It was issued after a restart, above what the node might have issued before. */
    @Test
    void nodeMayWriteBelowWhatItHasReadThatWasTooFarAheadOfItsClock() {
        Judged judged = Judged.of(
                write("a", Outcome.UNKNOWN).through("n2", 1).at(0, 1),
                found("a", 1009).at(2, 3),
                write("b", 1005).on("other").at(4, 5));

        assertThat(judged.under(CLOCKS_AGREE.withAdoption(new Adoption(1000, Duration.ofMillis(6))))
                        .anomalies())
                .isEmpty();
        assertThat(judged.under(CLOCKS_AGREE.withAdoption(new Adoption(1000, Duration.ofMillis(7))))
                        .anomalies())
                .containsExactly(Kind.VERSION_ORDER);
    }

    @Test
    void whatAFormerLifeHasReadBindsNoLaterOne() {
        Judged judged = Judged.of(
                write("a", Outcome.UNKNOWN).through("n2", 1).at(0, 1),
                found("a", 9).through("n1", 1).at(2, 3),
                write("b", 5).on("other").through("n1", 2).at(4, 5));

        assertThat(judged.under(CLOCKS_AGREE).anomalies()).isEmpty();
    }

    @Test
    void readOfAnUnknownLifeBindsNobody() {
        Judged judged = Judged.of(
                write("a", Outcome.UNKNOWN).through("n2", 1).at(0, 1),
                found("a", 9).through("n1", Operation.LIFE_UNKNOWN).at(2, 3),
                write("b", 5).on("other").through("n1", Operation.LIFE_UNKNOWN).at(4, 5));

        assertThat(judged.under(CLOCKS_AGREE).anomalies()).isEmpty();
    }

    @Test
    void whereClocksDisagreeAVersionNeedNotBeAdoptedByReadingIt() {
        Judged judged = Judged.of(
                write("a", Outcome.UNKNOWN).through("n2", 1).at(0, 1),
                found("a", 9).at(2, 3),
                write("b", 5).on("other").at(4, 5));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void nodesThatHaveNotHeardOfEachOtherMayIssueAsTheirClocksSay() {
        Judged judged = Judged.of(
                write("a", 9).on("one").through("n1", 1).at(0, 1),
                write("b", 5).on("other").through("n2", 1).at(2, 3));

        assertThat(judged.under(CLOCKS_AGREE).anomalies()).isEmpty();
    }

    @Test
    void writesUnderWayTogetherMayEndInAnyOrder() {
        Judged judged = Judged.of(
                write("a", 5).on("one").at(0, 4), write("b", 4).on("other").at(2, 3));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void nodeThatLostItsDiskDoesNotKnowWhatItHasIssued() {
        Judged judged = Judged.of(
                        write("a", 50_000).on("one").through("n1", 1).at(0, 1),
                        write("b", 4).on("other").through("n1", 2).at(3, 4))
                .under(CLOCKS_AGREE);

        assertThat(judged.with(loss("n1", 0, 2)).anomalies()).isEmpty();
        assertThat(judged.with(loss("n2", 0, 2)).anomalies()).containsExactly(Kind.VERSION_ORDER);
        assertThat(judged.with(loss("n1", 1, 2)).anomalies())
                .as("where only the end of the log was lost")
                .containsExactly(Kind.VERSION_ORDER);
    }
}
