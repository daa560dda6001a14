package dev.kvorum.history.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.History;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {
    private static String version(int number) {
        return "%032x".formatted(number);
    }

    private static Operation write(int version, long invoked, long returned, @Nullable String expected) {
        Request request = new Request(Kind.WRITE, Mode.LINEARIZABLE, "k", "v" + version, 2, 3, expected);
        return new Operation(1, "n1", 1, request, new Answer(Outcome.OK, null, version(version)), invoked, returned);
    }

    private static Operation read(int version, long invoked, long returned) {
        Request request = new Request(Kind.READ, Mode.LINEARIZABLE, "k", null, 2, 3);
        return new Operation(
                2, "n1", 1, request, new Answer(Outcome.OK, "v" + version, version(version)), invoked, returned);
    }

    @Test
    void operationsInTheOrderOfTheirVersionsAreGood() {
        History history = History.of(
                write(1, 0, 1, Request.ABSENT),
                read(1, 2, 3),
                write(2, 2, 9, version(1)),
                read(2, 4, 5),
                read(2, 6, 7));

        assertThat(Linearizability.check(history)).isEmpty();
    }

    @Test
    void readThatMissesAnEarlierReadOrWriteIsFound() {
        History history = History.of(write(1, 0, 1, null), write(2, 2, 9, null), read(2, 3, 4), read(1, 5, 6));

        assertThat(Linearizability.check(history))
                .extracting(Anomaly::kind)
                .containsExactly(Anomaly.Kind.NOT_LINEARIZABLE);
    }

    @Test
    void writeBelowOneThatHadEndedIsFound() {
        History history = History.of(write(2, 0, 1, null), write(1, 2, 3, null));

        assertThat(Linearizability.check(history)).hasSize(1);
    }

    @Test
    void secondWriteOnTheSameConditionIsFound() {
        History history = History.of(write(1, 0, 1, null), write(2, 2, 5, version(1)), write(3, 2, 5, version(1)));

        assertThat(Linearizability.check(history)).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.LOST_UPDATE);
    }

    private static Operation deletion(int version, long invoked, long returned) {
        Request request = new Request(Kind.DELETE, Mode.LINEARIZABLE, "k", null, 2, 3);
        return new Operation(1, "n1", 1, request, new Answer(Outcome.OK, null, version(version)), invoked, returned);
    }

    private static Operation readOfNothing(long invoked, long returned) {
        Request request = new Request(Kind.READ, Mode.LINEARIZABLE, "k", null, 2, 3);
        return new Operation(2, "n1", 1, request, new Answer(Outcome.OK, null, null), invoked, returned);
    }

    @Test
    void readOfNothingMissesNoDeletionWhichMayHaveBeenDroppedSince() {
        History history = History.of(write(1, 0, 1, null), deletion(2, 2, 3), readOfNothing(4, 5));

        assertThat(Linearizability.check(history)).isEmpty();
    }

    @Test
    void readOfNothingThatMissesAWriteIsFound() {
        History history = History.of(deletion(1, 0, 1), write(2, 2, 3, null), readOfNothing(4, 5));

        assertThat(Linearizability.check(history)).hasSize(1);
    }

    private static Operation refused(@Nullable Integer met, long invoked, long returned, String expected) {
        Request request = new Request(Kind.WRITE, Mode.LINEARIZABLE, "k", "r" + invoked, 2, 3, expected);
        Answer answer = Answer.refused(met == null ? null : version(met));
        return new Operation(3, "n1", 1, request, answer, invoked, returned);
    }

    private static Operation unknownDeletion(long invoked, long returned) {
        Request request = new Request(Kind.DELETE, Mode.LINEARIZABLE, "k", null, 2, 3);
        return new Operation(4, "n1", 1, request, Answer.unknown(), invoked, returned);
    }

    @Test
    void secondWriteThatAskedForNothingIsFound() {
        History history = History.of(write(1, 0, 5, Request.ABSENT), write(2, 0, 5, Request.ABSENT));

        assertThat(Linearizability.check(history)).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.LOST_UPDATE);
    }

    /** It may have come about after the write, and have been dropped since. */
    @Test
    void readOfNothingBehindADeletionOfUnknownOutcomeIsGood() {
        History history = History.of(unknownDeletion(0, 9), write(1, 1, 2, null), read(1, 3, 4), readOfNothing(20, 21));

        assertThat(Linearizability.check(history)).isEmpty();
    }

    @Test
    void writeThatAskedForNothingBehindADeletionIsGood() {
        assertThat(Linearizability.check(
                        History.of(write(1, 0, 1, null), deletion(2, 2, 3), write(3, 4, 5, Request.ABSENT))))
                .isEmpty();
        assertThat(Linearizability.check(
                        History.of(write(1, 0, 1, null), unknownDeletion(2, 3), write(3, 4, 5, Request.ABSENT))))
                .isEmpty();
    }

    @Test
    void writeThatAskedForSomethingNewerThanItselfIsFound() {
        History history = History.of(write(1, 0, 9, null), write(5, 0, 9, null), write(2, 0, 9, version(5)));

        assertThat(Linearizability.check(history)).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.LOST_UPDATE);
    }

    @Test
    void refusalByAnotherVersionOrByAValueIsGood() {
        History history = History.of(
                write(1, 0, 1, null),
                refused(1, 2, 3, Request.ABSENT),
                refused(1, 2, 3, version(7)),
                deletion(2, 4, 5),
                refused(null, 6, 7, version(1)));

        assertThat(Linearizability.check(history)).isEmpty();
    }

    @Test
    void refusalByADeletionAtTheSameTimeIsGood() {
        History history = History.of(
                write(1, 0, 1, null), deletion(2, 2, 9), refused(null, 3, 4, version(1)), deletion(3, 10, 11));

        assertThat(Linearizability.check(history)).isEmpty();
    }

    @Test
    void refusalByWhatWasAskedForIsFound() {
        assertThat(Linearizability.check(History.of(write(1, 0, 1, null), refused(1, 2, 3, version(1)))))
                .hasSize(1);
        assertThat(Linearizability.check(History.of(refused(null, 2, 3, Request.ABSENT))))
                .hasSize(1);
    }

    @Test
    void refusalIsAReadOfWhatItMet() {
        assertThat(Linearizability.check(
                        History.of(write(1, 0, 1, null), write(2, 2, 3, null), refused(1, 4, 5, Request.ABSENT))))
                .as("it missed a write")
                .hasSize(1);
        assertThat(Linearizability.check(History.of(
                        write(1, 0, 1, null), write(2, 2, 9, null), refused(2, 3, 4, version(1)), read(1, 5, 6))))
                .as("what it met was missed")
                .hasSize(1);
        assertThat(Linearizability.check(History.of(write(1, 0, 1, null), refused(null, 2, 3, version(7)))))
                .as("it missed that there is a value")
                .hasSize(1);
    }

    @Test
    void valueOfARefusedWriteMustNotBeRead() {
        Operation refused = refused(1, 2, 3, Request.ABSENT);
        Request request = new Request(Kind.READ, Mode.LINEARIZABLE, "k", null, 2, 3);
        Operation read = new Operation(2, "n1", 1, request, new Answer(Outcome.OK, refused.value(), version(9)), 4, 5);

        assertThat(Linearizability.check(History.of(write(1, 0, 1, null), refused, read)))
                .extracting(Anomaly::kind)
                .contains(Anomaly.Kind.UNWRITTEN_VALUE);
    }
}
