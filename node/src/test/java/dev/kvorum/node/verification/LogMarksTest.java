package dev.kvorum.node.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class LogMarksTest {
    private static final Set<String> MEMBERS = Set.of("n1", "n2");
    private static final long LIFETIME = 10;

    private long time;
    private long last;
    private boolean isClosed;
    private final LogMarks marks = new LogMarks(() -> isClosed ? -1 : last, () -> time, LIFETIME);

    /** One time unit goes by, in which ten changes are made here, and n2 has made as many as it says. */
    private void second(long start, long changes) {
        time++;
        last += 10;
        marks.note(MEMBERS);
        marks.hear("n2", time, start, changes);
    }

    private void seconds(int count, long start) {
        for (int i = 0; i < count; i++) {
            second(start, 100 * (time + 1));
        }
    }

    @Test
    void logIsGoodFromALifetimeBeforeTheLastAnswerOfWhichNothingIsLost() {
        seconds(50, 7);

        // What n2 had at time 40 is there, what it had at 41 is not.
        assertThat(marks.before("n2", 8, 4_050)).hasValue(10 * (40 - LIFETIME));
        assertThat(marks.before("n2", 8, 4_000)).hasValue(10 * (40 - LIFETIME));
        assertThat(marks.before("n2", 8, 3_999)).hasValue(10 * (39 - LIFETIME));
    }

    @Test
    void answersOfThePresentStartSayNothing() {
        seconds(50, 7);
        seconds(20, 8);

        assertThat(marks.before("n2", 8, 1_000_000)).hasValue(10 * (50 - LIFETIME));
    }

    @Test
    void nothingIsKnownOfAMemberThatWasNotHeardOrOfTimesBeforeThisLife() {
        seconds(15, 7);

        assertThat(marks.before("n1", 8, 1_000)).isEmpty();
        assertThat(marks.before("n2", 8, 50)).isEmpty(); // It had more when it was heard first.
        assertThat(marks.before("n2", 8, 1_000)).isEmpty(); // A lifetime before that answer nothing was noted yet.
        assertThat(marks.before("n2", 8, 1_100)).hasValue(10);
    }

    @Test
    void whatCantBeToldDoesNotCount() {
        seconds(20, 7);
        second(7, -1);
        isClosed = true;
        second(7, 100 * (time + 1));

        assertThat(marks.before("n2", 8, 2_000)).hasValue(10 * (20 - LIFETIME));
    }

    @Test
    void membersThatLeaveAreForgotten() {
        seconds(20, 7);

        marks.note(Set.of("n1"));

        assertThat(marks.before("n2", 8, 2_000)).isEmpty();
    }

    @Test
    void oldAnswersAreForgotten() {
        seconds(1_000, 7);

        assertThat(marks.before("n2", 8, 100 * (1_000 - 126))).isPresent();
        assertThat(marks.before("n2", 8, 100 * (1_000 - 130))).isEmpty();
    }

    @Test
    void marksOfALogThatHasLostItsEndAreForgotten() {
        seconds(50, 7);
        last = 300;
        second(7, 100 * (time + 1));

        assertThat(marks.before("n2", 8, 4_050)).isEmpty();
    }
}
