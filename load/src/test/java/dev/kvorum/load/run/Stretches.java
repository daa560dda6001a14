package dev.kvorum.load.run;

import dev.kvorum.load.generate.Operation;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Results of stretches as tests need them: of so many seconds, that each have so many answers of one latency. */
final class Stretches {
    static final long START = 1_000_000;

    private Stretches() {}

    /** What happened in one second. */
    record Second(int done, double millis, int refused, int failed) {
        Slice slice() {
            Slice slice = Slice.empty();
            Histogram latencies = Slice.histogram();
            latencies.recordValueWithCount(Math.round(1000 * millis), done);
            slice.done().put(Operation.PUT, latencies);
            slice.outcomes().put(Outcome.DONE, (long) done);
            slice.outcomes().put(Outcome.REFUSED, (long) refused);
            slice.outcomes().put(Outcome.FAILED, (long) failed);
            return slice;
        }
    }

    static StretchResult of(List<Second> seconds) {
        return of(seconds, List.of());
    }

    static StretchResult of(List<Second> seconds, List<String> problems) {
        return of(seconds, 1000, problems);
    }

    /** @param millis how long the seconds really are */
    static StretchResult of(List<Second> seconds, long millis, List<String> problems) {
        List<TimedSlice> slices = IntStream.range(0, seconds.size())
                .mapToObj(i -> new TimedSlice(
                        START + i * millis,
                        START + (i + 1) * millis,
                        seconds.get(i).slice()))
                .toList();
        Slice total = Slice.empty();
        slices.forEach(timed -> total.add(timed.slice()));
        long begun = total.ended();
        return new StretchResult(total, slices, seconds.size(), begun, begun, 0, 0, problems);
    }
}
