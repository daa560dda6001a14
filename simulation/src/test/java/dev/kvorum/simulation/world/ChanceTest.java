package dev.kvorum.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChanceTest {
    private static List<Integer> draws(Chance chance) {
        return IntStream.range(0, 50).mapToObj(i -> chance.below(1000)).toList();
    }

    @Test
    void seedDecidesAll() {
        assertThat(draws(Chance.of(7))).isEqualTo(draws(Chance.of(7))).isNotEqualTo(draws(Chance.of(8)));
    }

    @Test
    void whatABranchDrawsDoesNotDisturbTheOthers() {
        Chance one = Chance.of(7);
        Chance other = Chance.of(7);
        Chance busy = one.branch();
        var _ = other.branch();

        var _ = draws(busy);

        assertThat(draws(one)).isEqualTo(draws(other));
    }

    @Test
    void shuffledHasTheSameInAnotherOrder() {
        List<Integer> sorted = IntStream.range(0, 50).boxed().toList();

        assertThat(Chance.of(7).shuffled(sorted))
                .containsExactlyInAnyOrderElementsOf(sorted)
                .isNotEqualTo(sorted);
    }

    @Test
    void spreadStaysWithinItsBounds() {
        Chance chance = Chance.of(7);

        assertThat(IntStream.range(0, 1000).mapToLong(i -> chance.spread(10, 10_000)))
                .allMatch(value -> value >= 10 && value <= 10_000)
                .anyMatch(value -> value < 100)
                .anyMatch(value -> value > 1000);
    }
}
