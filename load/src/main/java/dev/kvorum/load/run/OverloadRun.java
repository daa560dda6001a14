package dev.kvorum.load.run;

import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Pace;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.scenario.Aim;
import java.time.Duration;
import java.util.List;

/**
 * The peak by a closed loop, a normal load, many times the peak, the normal load again. The figures are those of the overload; recovery
 * is how long the normal load then needs to be normal.
 */
final class OverloadRun {
    private static final Duration NORMAL = Duration.ofSeconds(10);
    private static final int NORMAL_SECONDS = 2;
    private static final double NORMAL_P99_FACTOR_MAX = 2;
    private static final double NORMAL_P99_MILLIS_MORE = 5;
    private static final double NORMAL_THROUGHPUT_SHARE_MIN = 0.9;

    private final Aim.Overload overload;
    private final VariantRun run;

    OverloadRun(Aim.Overload overload, VariantRun run) {
        this.overload = overload;
        this.run = run;
    }

    RoundResult run(long start) throws InterruptedException {
        Pace closed = new Pace.Closed(overload.clients());
        run.warmUp(closed);
        StretchResult peak = load("peak", closed, run.load().duration());
        double peakRate = peak.settled().throughput();
        Pace normalPace = new Pace.Open(
                Math.max(1, peakRate * overload.normalShare()), run.load().inFlight());
        StretchResult normal = load("normal", normalPace, NORMAL);
        run.progress().phase("overload");
        Pace flood = new Pace.Open(
                Math.max(1, peakRate * overload.factor()), run.load().inFlight());
        Measurement over = run.measure(run.stretch("overload", flood, run.load().duration()));
        StretchResult after = load("recovery", normalPace, NORMAL);
        List<Leg> legs = List.of(
                new Leg("peak", peak),
                new Leg("normal", normal),
                new Leg("overload", over.result()),
                new Leg("recovery", after));
        return run.result(start, legs, over, List.of())
                .with(Metric.GOODPUT_SHARE, over.settled().throughput() / Math.max(1, peakRate))
                .with(Metric.RECOVERY, recoverySeconds(normal, after));
    }

    private StretchResult load(String name, Pace pace, Duration length) throws InterruptedException {
        run.progress().phase(name);
        return run.measuring().load(run.stretch(name, pace, length));
    }

    /** Seconds until two seconds in a row are normal; the length of the stretch if there are none. */
    private static double recoverySeconds(StretchResult normal, StretchResult after) {
        double p99Max =
                NORMAL_P99_FACTOR_MAX * Percentiles.millis(normal.total().allDone(), 99) + NORMAL_P99_MILLIS_MORE;
        double doneMin = NORMAL_THROUGHPUT_SHARE_MIN * normal.total().count(Outcome.DONE) / normal.seconds();
        List<TimedSlice> slices = after.slices();
        int normalInARow = 0;
        for (TimedSlice slice : slices) {
            boolean isNormal = slice.slice().count(Outcome.DONE) >= doneMin * slice.seconds()
                    && slice.slice().errors() + slice.slice().count(Outcome.REFUSED) == 0
                    && Percentiles.millis(slice.slice().allDone(), 99) <= p99Max;
            normalInARow = isNormal ? normalInARow + 1 : 0;
            if (normalInARow == NORMAL_SECONDS) {
                double until = (slice.endMillis() - slices.getFirst().startMillis()) / 1000.0;
                return Math.max(0, until - NORMAL_SECONDS);
            }
        }
        return after.seconds();
    }
}
