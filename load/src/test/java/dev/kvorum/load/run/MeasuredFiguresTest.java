package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.Operation;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.measure.MachineTime;
import dev.kvorum.load.measure.NodeSample;
import dev.kvorum.load.measure.NodeSample.Told;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.ScenarioFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasuredFiguresTest {
    private static final int SECONDS = 1200;
    private static final int TOLD_EVERY = 30;
    private static final double COMMITTED = 256;
    private static final long LIVE = 32 << 20;
    private static final MachineTime MACHINE = new MachineTime(400, 100, 20);

    /** Resident memory of a node that is well: it goes up and down a little. */
    private static double breathing(int second) {
        return 456 + second % 7;
    }

    /** Its used heap, which fills and is emptied. */
    private static double sawTooth(int second) {
        return 30 + second % 47 * 1.5;
    }

    /** A soak of two nodes, of which the second leaks. */
    private static Measurement soak(
            IntToDoubleFunction rss, IntToDoubleFunction threads, IntToDoubleFunction descriptors, long liveAfter) {
        List<NodeSample> samples = new ArrayList<>();
        for (int second = 0; second < SECONDS; second++) {
            Told told = second % TOLD_EVERY == 0
                    ? new Told(sawTooth(second), COMMITTED, second, 20.0, 4.0, 0.0, 0.0)
                    : null;
            samples.add(new NodeSample("n1", second * 1000L, 0, breathing(second), 38, 230, told));
            samples.add(new NodeSample(
                    "n2",
                    second * 1000L,
                    0,
                    rss.applyAsDouble(second),
                    (int) threads.applyAsDouble(second),
                    (int) descriptors.applyAsDouble(second),
                    told));
        }
        return measurement(samples, Map.of("n1", LIVE, "n2", LIVE), Map.of("n1", LIVE, "n2", liveAfter));
    }

    private static Measurement measurement(
            List<NodeSample> samples, Map<String, Long> liveBefore, Map<String, Long> liveAfter) {
        StretchResult result = result();
        return new Measurement(
                result,
                result.settled(),
                8000,
                500,
                samples,
                MACHINE,
                new Measurement.Alive(liveBefore, liveAfter),
                Optional.empty());
    }

    /** Four seconds: 100 GETs of 1 ms in each, one of 50 ms in the last, and a refusal. */
    private static StretchResult result() {
        List<TimedSlice> slices = new ArrayList<>();
        Slice total = Slice.empty();
        for (int second = 0; second < 4; second++) {
            Slice slice = Slice.empty();
            Histogram done = Slice.histogram();
            done.recordValueWithCount(1000, 100);
            slice.outcomes().put(Outcome.DONE, 100L);
            if (second == 3) {
                done.recordValue(50_000);
                slice.outcomes().put(Outcome.DONE, 101L);
                slice.outcomes().put(Outcome.REFUSED, 1L);
                slice.refused().recordValue(7000);
            }
            slice.done().put(Operation.GET, done);
            slices.add(new TimedSlice(second * 1000L, (second + 1) * 1000L, slice));
            total.add(slice);
        }
        return new StretchResult(total, slices, 4, 404, 404, 0, 4040, List.of());
    }

    private static boolean holds(String metric, Figures figures) throws Exception {
        Scenario soak = ScenarioFile.read(Path.of("scenarios", "r2.yaml"));
        return soak.expectations().stream()
                .filter(expectation -> expectation.text().startsWith(metric + " of put"))
                .map(expectation -> expectation.judge(Map.of("put", figures), ""))
                .findFirst()
                .orElseThrow()
                .passed();
    }

    @ParameterizedTest
    @CsvSource({"rss-growth", "native-growth", "heap-growth", "threads-growth", "descriptors-growth"})
    void soakOfNodesThatBreatheAndCollectGarbageDoesNotGrow(String metric) throws Exception {
        Figures figures = MeasuredFigures.of(
                soak(MeasuredFiguresTest::breathing, _ -> 38, second -> 230 + second % 3, LIVE + (LIVE >> 7)));

        assertThat(figures.get(Metric.named(metric).orElseThrow())).isPresent();
        assertThat(holds(metric, figures)).isTrue();
    }

    /** Each leaks a little with every request, as 13 million of them do in twenty minutes: 2 bytes, a quarter of one, and one thread or descriptor by the way. */
    @ParameterizedTest
    @CsvSource({"rss-growth", "native-growth", "heap-growth", "threads-growth", "descriptors-growth"})
    void soakWithALeakGrows(String metric) throws Exception {
        IntToDoubleFunction rss = second -> breathing(second) + second * 25.0 / SECONDS;
        IntToDoubleFunction threads = second -> second < SECONDS / 2 ? 38 : 39;
        IntToDoubleFunction descriptors = second -> 230 + second / 60;

        Figures figures = MeasuredFigures.of(soak(rss, threads, descriptors, LIVE + 13_000_000L / 4));

        assertThat(holds(metric, figures)).isFalse();
    }

    @Test
    void nativeGrowthIsOfMemoryThatIsNoHeap() {
        IntToDoubleFunction rss = second -> 456 + second * 18.0 / SECONDS;

        Figures figures = MeasuredFigures.of(soak(rss, _ -> 38, _ -> 230, LIVE));

        assertThat(figures.get(Metric.RSS_GROWTH).orElseThrow()).isLessThan(3);
        assertThat(figures.get(Metric.NATIVE_GROWTH).orElseThrow()).isGreaterThan(5);
    }

    @Test
    void heapThatWasNotLookedIntoBothTimesHasNoGrowth() {
        Figures never = MeasuredFigures.of(measurement(List.of(), Map.of(), Map.of()));
        Figures onlyAfter = MeasuredFigures.of(measurement(List.of(), Map.of(), Map.of("n1", LIVE)));

        assertThat(never.get(Metric.HEAP_GROWTH)).isEmpty();
        assertThat(onlyAfter.get(Metric.HEAP_GROWTH)).isEmpty();
    }

    @Test
    void mostIsOfTheNodeThatHadMost() {
        List<NodeSample> samples = List.of(
                new NodeSample("n1", 0, 0, 300, 38, 0, new Told(1, 100, 10, 20.0, 4.0, 900.0, 7.0)),
                new NodeSample("n2", 0, 0, 310, 36, 0, new Told(1, 120, 10, null, 6.0, 0.0, 0.0)),
                new NodeSample("n1", 2000, 0, 305, 37, 0, new Told(1, 100, 50, 25.0, 5.0, 1380.0, 12.0)),
                new NodeSample("n2", 2000, 0, 290, 36, 0, new Told(1, 120, 30, null, 8.0, 20.0, 0.0)));

        Figures figures = MeasuredFigures.of(measurement(samples, Map.of(), Map.of()));

        assertThat(figures.get(Metric.RSS_MAX)).contains(310.0);
        assertThat(figures.get(Metric.NATIVE_MAX)).contains(205.0);
        assertThat(figures.get(Metric.ROCKSDB_MAX)).contains(25.0);
        assertThat(figures.get(Metric.THREADS_MAX)).contains(38.0);
        assertThat(figures.get(Metric.GC_PAUSES)).contains((40.0 + 20.0) / 2);
        assertThat(figures.get(Metric.PEER_CONNECTIONS)).contains(1000 * 3.0 / 500);
        assertThat(figures.get(Metric.CALLED_OFF)).contains(1000.0);
        assertThat(figures.get(Metric.HEDGES)).contains(10.0);
    }

    @Test
    void connectionsAreNotNoneWhereANodeDoesNotTell() {
        assertThat(peerConnections(
                        told("n1", 0, 4.0), told("n1", 2000, 4.0), told("n2", 0, null), told("n2", 2000, null)))
                .isEmpty();
        assertThat(peerConnections(told("n1", 0, 4.0), told("n1", 2000, 4.0), told("n2", 0, 6.0)))
                .isEmpty();
        assertThat(peerConnections()).isEmpty();
        assertThat(peerConnections(
                        told("n1", 0, 4.0), told("n1", 2000, 4.0), told("n2", 0, 6.0), told("n2", 2000, 6.0)))
                .contains(0.0);
    }

    private static Optional<Double> peerConnections(NodeSample... samples) {
        return MeasuredFigures.of(measurement(List.of(samples), Map.of(), Map.of()))
                .get(Metric.PEER_CONNECTIONS);
    }

    private static NodeSample told(String node, long atMillis, @Nullable Double connectionsOpened) {
        return new NodeSample(node, atMillis, 0, 300, 38, 0, new Told(1, 100, 10, null, connectionsOpened, null, null));
    }

    @Test
    void requestsCountFromTheSecondSecondOnAndErrorsFromTheFirst() {
        Figures figures = MeasuredFigures.of(measurement(List.of(), Map.of(), Map.of()));

        assertThat(figures.get(Metric.THROUGHPUT).orElseThrow()).isCloseTo(301 / 3.0, within(0.01));
        assertThat(figures.get(Metric.P50).orElseThrow()).isCloseTo(1, within(0.01));
        assertThat(figures.get(Metric.MAX).orElseThrow()).isCloseTo(50, within(0.1));
        assertThat(figures.get(Metric.REFUSED)).contains(1.0);
        assertThat(figures.get(Metric.REFUSED_P99).orElseThrow()).isCloseTo(7, within(0.01));
        assertThat(figures.get(Metric.ERRORS)).contains(404.0 - 402.0); // Of two nothing was heard.
    }

    @Test
    void costsAreOfTheRequestsThatEndedMeanwhile() {
        Figures figures = MeasuredFigures.of(measurement(List.of(), Map.of(), Map.of()));

        assertThat(figures.get(Metric.CPU).orElseThrow()).isCloseTo(8000 / 302.0, within(0.01));
        assertThat(figures.get(Metric.REQUESTS_PER_CPU_SECOND).orElseThrow()).isCloseTo(302e6 / 8000, within(1.0));
        assertThat(figures.get(Metric.GENERATOR_CPU).orElseThrow()).isCloseTo(4040 / 402.0, within(0.01));
    }

    @Test
    void sharesOfTheMachineTellWhoseTheTimeWas() {
        Figures figures = MeasuredFigures.of(measurement(List.of(), Map.of(), Map.of()));

        assertThat(figures.get(Metric.RESTED)).contains(25.0);
        assertThat(figures.get(Metric.STOLEN)).contains(5.0);
    }
}
