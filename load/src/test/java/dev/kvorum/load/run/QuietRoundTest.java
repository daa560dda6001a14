package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QuietRoundTest {
    private final List<String> phases = new ArrayList<>();
    private final Deque<RoundResult> tries = new ArrayDeque<>();

    @Test
    void quietRoundIsMeasuredOnce() throws Exception {
        tries.add(round(1.0, 0, 9));
        tries.add(round(0.0, 0, 1));

        assertThat(p99()).isEqualTo(9);
        assertThat(tries).hasSize(1);
        assertThat(phases).isEmpty();
    }

    @Test
    void disturbedRoundIsMeasuredAgain() throws Exception {
        tries.add(round(1.1, 0, 1));
        tries.add(round(0.5, 0, 9));

        assertThat(p99()).isEqualTo(9);
        assertThat(phases).containsExactly("is measured again, as the host took 1.1 % of the processors");
    }

    @Test
    void leastDisturbedTryCountsWhateverItsLatencies() throws Exception {
        for (double stolen : new double[] {5, 3, 2, 4}) {
            tries.add(round(stolen, 0, 10 - stolen));
        }

        assertThat(p99()).isEqualTo(8);
        assertThat(tries).isEmpty();
        assertThat(phases).hasSize(QuietRound.TRIES_MAX - 1);
    }

    @Test
    void tryWithErrorsCounts() throws Exception {
        tries.add(round(5, 0, 1));
        tries.add(round(9, 1, 2));
        tries.add(round(0, 0, 3));

        assertThat(p99()).isEqualTo(2);
        assertThat(tries).hasSize(1);
    }

    private double p99() throws InterruptedException {
        Progress progress = new Progress() {
            @Override
            public void phase(String what) {
                phases.add(what);
            }

            @Override
            public void second(TimedSlice slice) {
                throw new AssertionError("no load is sent");
            }
        };
        return new QuietRound(1)
                .measure(tries::remove, progress)
                .figures()
                .get(Metric.P99)
                .orElseThrow();
    }

    private static RoundResult round(double stolen, double errors, double p99) {
        Figures figures = new Figures(Map.of(Metric.STOLEN, stolen, Metric.ERRORS, errors, Metric.P99, p99));
        return new RoundResult(
                "v", 1, 0, List.of(), Slice.empty(), figures, List.of(), Optional.empty(), List.of(), List.of());
    }
}
