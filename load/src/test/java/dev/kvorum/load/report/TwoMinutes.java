package dev.kvorum.load.report;

import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.Operation;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.measure.Machine;
import dev.kvorum.load.measure.NodeSample;
import dev.kvorum.load.run.Leg;
import dev.kvorum.load.run.RoundResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** A round of two minutes with one request a second, which takes 10 ms in the first minute and 20 ms in the second; twice as long in the second round. */
final class TwoMinutes {
    private static final int SECONDS = 120;

    private TwoMinutes() {}

    /** Where and how it was run, by this command. */
    static RunNote note(String command) {
        return new RunNote(
                "2026-01-01T00:00:00Z",
                command,
                1,
                new Machine("cpu", 2, 1024, "Linux", "Debian", "JVM", "0 0 0", "abc"));
    }

    /** The errors are a figure of the round only: each of its requests is answered. */
    static RoundResult of(String variant, int round, double errors) {
        List<TimedSlice> slices = new ArrayList<>();
        Slice total = Slice.empty();
        for (int second = 0; second < SECONDS; second++) {
            Slice slice = Slice.empty();
            Histogram latency = Slice.histogram();
            latency.recordValue(round * (second < 60 ? 10_000L : 20_000L));
            slice.done().put(Operation.GET, latency);
            slice.outcomes().put(Outcome.DONE, 1L);
            slices.add(new TimedSlice(second * 1000L, (second + 1) * 1000L, slice));
            total.add(slice);
        }
        StretchResult result = new StretchResult(total, slices, SECONDS, SECONDS, SECONDS, 0, 0, List.of());
        List<NodeSample> samples = List.of(
                new NodeSample("n1", 30_000, 0, 100, 20, 30, new NodeSample.Told(40, 60, 0, 5.0, 0.0, 0.0, 0.0)),
                new NodeSample("n1", 90_000, 0, 110, 20, 30, null));
        return new RoundResult(
                variant,
                round,
                0,
                List.of(new Leg("measured", result)),
                total,
                new Figures(Map.of(Metric.ERRORS, errors, Metric.P99, 20.0, Metric.CPU, 50.0 + round)),
                samples,
                Optional.empty(),
                List.of(),
                List.of());
    }
}
