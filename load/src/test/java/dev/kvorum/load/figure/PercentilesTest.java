package dev.kvorum.load.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvorum.load.generate.Slice;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PercentilesTest {
    private static Histogram upTo(int millis) {
        Histogram histogram = Slice.histogram();
        for (int i = 1; i <= millis; i++) {
            histogram.recordValue(i * 1000L);
        }
        return histogram;
    }

    @Test
    void tableHasThePercentilesOfTheFieldReportsInMilliseconds() {
        Map<String, Double> table = Percentiles.table(upTo(1000));

        assertThat(table.keySet()).containsExactly("p50", "p75", "p90", "p99", "p99.9", "p99.99", "max");
        assertThat(table.get("p50")).isCloseTo(500, within(1.0));
        assertThat(table.get("p99.9")).isCloseTo(999, within(1.5));
        assertThat(table.get("max")).isCloseTo(1000, within(1.5));
    }

    @Test
    void tableOfNothingIsEmpty() {
        assertThat(Percentiles.table(Slice.histogram())).isEmpty();
        assertThat(Percentiles.curve(Slice.histogram())).isEmpty();
    }

    @Test
    void curveRisesFromTheFirstRequestToTheMaximum() {
        List<double[]> curve = Percentiles.curve(upTo(1000));

        assertThat(curve.getFirst()[0]).isEqualTo(1);
        assertThat(curve.getLast()).satisfies(last -> {
            assertThat(last[0]).isEqualTo(1000);
            assertThat(last[1]).isCloseTo(1000, within(1.5));
        });
        assertThat(curve.stream().mapToDouble(point -> point[1]).toArray()).isSorted();
    }

    @Test
    void everyMetricOfTheTableIsAMetricOfFigures() {
        assertThat(Percentiles.table(upTo(1)).keySet())
                .allSatisfy(name -> assertThat(Metric.named(name)).isPresent());
    }

    @Test
    void medianOfAnEvenNumberIsTheMeanOfTheMiddle() {
        assertThat(Figures.median(List.of(9.0, 1.0, 3.0))).isEqualTo(3);
        assertThat(Figures.median(List.of(9.0, 1.0, 3.0, 5.0))).isEqualTo(4);
    }

    @Test
    void growthComparesTheEndWithTheTimeAfterWarmUp() {
        List<Double> warming = DoubleStream.concat(
                        DoubleStream.iterate(1, x -> x + 10).limit(4),
                        DoubleStream.generate(() -> 100).limit(16))
                .boxed()
                .toList();
        List<Double> leaking =
                DoubleStream.iterate(100, x -> x + 1).limit(20).boxed().toList();

        assertThat(Growth.percent(warming)).contains(0.0);
        assertThat(Growth.percent(leaking).orElseThrow()).isGreaterThan(10);
        assertThat(Growth.percent(leaking.subList(0, 9))).isEmpty();
    }
}
