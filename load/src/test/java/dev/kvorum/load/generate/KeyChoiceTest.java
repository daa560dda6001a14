package dev.kvorum.load.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyChoiceTest {
    private static final int DRAWS = 200_000;
    private static final long SEED = 42;

    private static long[] draw(KeyChoice choice, int keys) {
        long[] counts = new long[keys];
        for (int i = 0; i < DRAWS; i++) {
            counts[Math.toIntExact(choice.next())]++;
        }
        return counts;
    }

    @Test
    void inTurnComesToEveryKeyAndBeginsAgain() {
        KeyChoice choice = KeyChoice.inTurn(3);

        assertThat(LongStream.generate(choice::next).limit(7)).containsExactly(0L, 1L, 2L, 0L, 1L, 2L, 0L);
    }

    @Test
    void uniformAsksForEveryKeyAboutAsOften() {
        long[] counts = draw(KeyChoice.uniform(100, SEED), 100);

        assertThat(LongStream.of(counts).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(1_700L, 2_300L));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.99, 1, 1.5})
    void zipfAsksForKeysInProportionToTheirRank(double exponent) {
        int keys = 1000;
        double sum = IntStream.rangeClosed(1, keys)
                .mapToDouble(rank -> Math.pow(rank, -exponent))
                .sum();

        long[] counts = draw(new ZipfKeys(keys, exponent, SEED), keys);

        for (int rank : new int[] {1, 2, 3, 10, 100}) {
            double expected = DRAWS * Math.pow(rank, -exponent) / sum;
            assertThat((double) counts[rank - 1]).isCloseTo(expected, within(5 * Math.sqrt(expected)));
        }
    }

    @Test
    void zipfOfOneKeyIsThatKey() {
        assertThat(new ZipfKeys(1, 0.99, SEED).next()).isZero();
    }

    @Test
    void mixAsksForOperationsByTheirShares() {
        Traffic traffic = new Traffic(
                List.of(new Traffic.Weight(Operation.GET, 9), new Traffic.Weight(Operation.PUT, 1)),
                KeyChoice.inTurn(1),
                2,
                3,
                ValueSizes.of(1),
                new SplittableRandom(SEED));

        long puts = LongStream.range(0, 10_000)
                .filter(i -> traffic.nextOperation() == Operation.PUT)
                .count();

        assertThat(puts).isBetween(850L, 1150L);
        assertThat(traffic.path(7)).isEqualTo("/v0/entity?id=key-7&ack=2&from=3");
    }
}
