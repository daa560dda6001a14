package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.ByteBudget;
import org.junit.jupiter.api.Test;

class MemoryLimitTest {
    private static final int MOST = 256;
    private static final int BUDGET = 32 << 20;
    private static final int HELD = 512 << 10;

    private final ByteBudget budget = new ByteBudget(BUDGET);
    private final MemoryLimit limit = new MemoryLimit(MOST, budget, 1);

    private static void note(MemoryLimit limit, long bytes) {
        for (int i = 0; i < 100; i++) {
            limit.note(bytes);
        }
    }

    @Test
    void beforeAnythingIsKnownAsManyAreUnderWayAsMay() {
        assertThat(limit.getAsInt()).isEqualTo(MOST);
    }

    @Test
    void shortAnswersLeaveItAsItIsHoweverLittleMemoryThereIs() {
        assertThat(budget.take(BUDGET)).isTrue();

        note(limit, AnswerGuard.COUNTED_MIN - 1);

        assertThat(limit.getAsInt()).isEqualTo(MOST);
    }

    @Test
    void longAnswersShareAQuarterOfTheBudget() {
        note(limit, HELD);

        assertThat(limit.getAsInt()).isEqualTo(BUDGET / 4 / HELD);
    }

    @Test
    void eachLoopHasItsPartOfThat() {
        MemoryLimit ofTwo = new MemoryLimit(MOST, budget, 2);

        note(ofTwo, HELD);

        assertThat(ofTwo.getAsInt()).isEqualTo(BUDGET / 4 / HELD / 2);
    }

    @Test
    void shortAnswersAmongLongOnesLetMoreBegin() {
        for (int i = 0; i < 100; i++) {
            note(limit, HELD);
            for (int j = 0; j < 7; j++) {
                limit.note(0);
            }
        }

        assertThat(limit.getAsInt()).isGreaterThan(2 * BUDGET / 4 / HELD);
    }

    @Test
    void longAnswersAreSoonForgottenWhenThereAreNoMore() {
        note(limit, HELD);

        note(limit, 0);

        assertThat(limit.getAsInt()).isEqualTo(MOST);
    }

    @Test
    void answersThatAreNotTakenLeaveLess() {
        note(limit, HELD);

        assertThat(budget.take(BUDGET - 10 * HELD)).isTrue();

        assertThat(limit.getAsInt()).isEqualTo(10);
    }

    @Test
    void someMayBeUnderWayWhateverIsHeldOrNotTaken() {
        assertThat(budget.take(BUDGET)).isTrue();

        note(limit, Long.MAX_VALUE);

        assertThat(limit.getAsInt()).isEqualTo(MemoryLimit.LEAST);
    }

    @Test
    void noMoreAreUnderWayThanMayBe() {
        MemoryLimit narrow = new MemoryLimit(MemoryLimit.LEAST - 1, budget, 1);

        note(narrow, HELD);

        assertThat(narrow.getAsInt()).isEqualTo(MemoryLimit.LEAST - 1);
    }
}
