package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HedgeBudgetTest {
    private final HedgeBudget budget = new HedgeBudget(10);

    private long spent(int attempts) {
        return IntStream.range(0, attempts).filter(i -> budget.spend()).count();
    }

    @Test
    void whatIsSavedIsBounded() {
        IntStream.range(0, 100_000).forEach(i -> budget.earn());

        assertThat(spent(1000)).isEqualTo(HedgeBudget.SAVED_MAX);
    }

    @Test
    void tenReadsEarnOneHedge() {
        spent(HedgeBudget.SAVED_MAX);

        IntStream.range(0, 9).forEach(i -> budget.earn());

        assertThat(budget.spend()).isFalse();

        budget.earn();

        assertThat(spent(2)).isOne();
    }

    @Test
    void overTimeHedgesAreATenthOfTheReads() {
        spent(HedgeBudget.SAVED_MAX);

        long hedges = IntStream.range(0, 10_000)
                .filter(i -> {
                    budget.earn();
                    return budget.spend();
                })
                .count();

        assertThat(hedges).isEqualTo(1000);
    }

    @Test
    void budgetOfNothingAllowsNothing() {
        HedgeBudget none = new HedgeBudget(0);
        IntStream.range(0, 1000).forEach(i -> none.earn());

        assertThat(none.spend()).isFalse();
    }
}
