package dev.kvorum.load.run;

import dev.kvorum.load.cluster.NodeProcess;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Pace;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.scenario.Aim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The peak by a closed loop, a normal load, many times the peak, the normal load again; the last three over the same connections, so that those which
 * were refused are among those that recover. The figures of requests and processors are those of the overload, what the nodes held and the pauses of their collectors those of the three; recovery is how long the normal load then needs to be normal.
 */
final class OverloadRun {
    private static final String WAIT_MAX = "kvorum_client_waits_seconds_max";
    private static final double REMEMBERED_SECONDS = 40; // That nodes remember a maximum, at least.
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
        Pace.Closed closed = new Pace.Closed(overload.clients());
        run.warmUp(closed);
        run.progress().phase("peak");
        StretchResult peak =
                run.measuring().load(run.stretch("peak", closed, run.load().duration()));
        double peakRate = peak.settled().throughput();
        Pace normalPace = new Pace.Open(
                Math.max(1, peakRate * overload.normalShare()), run.load().inFlight());
        run.progress().phase("normal, overload, recovery");
        Pace flood = new Pace.Open(
                Math.max(1, peakRate * overload.factor()), run.load().inFlight());
        List<Measurement> inTurn = run.measureInTurn(List.of(
                run.stretch("normal", normalPace, NORMAL),
                run.stretch("overload", flood, run.load().duration()),
                run.stretch("recovery", normalPace, NORMAL)));
        Measurement normal = inTurn.get(0);
        Measurement over = inTurn.get(1);
        StretchResult after = inTurn.get(2).result();
        List<Leg> legs = List.of(
                new Leg("peak", peak),
                new Leg("normal", normal.result()),
                new Leg("overload", over.result()),
                new Leg("recovery", after));
        RoundResult result = run.result(start, legs, over, List.of())
                .with(Metric.GOODPUT_SHARE, over.settled().throughput() / Math.max(1, peakRate))
                .with(Metric.RECOVERY, recoverySeconds(normal.settled(), after));
        return refusalWaitMillis(over.result().seconds())
                .map(millis -> result.with(Metric.REFUSAL_WAIT_MAX, millis))
                .orElse(result);
    }

    /** Of the node where it was longest. Empty if none tells, or if they may have forgotten how it began; what is expected of it is then not met. */
    private Optional<Double> refusalWaitMillis(double overloadSeconds) throws InterruptedException {
        Optional<Double> longest = Optional.empty();
        if (overloadSeconds <= REMEMBERED_SECONDS - NORMAL.toSeconds() - 10) {
            for (NodeProcess node : run.measuring().cluster().nodes()) {
                Double seconds = node.management()
                        .metrics(List.of(WAIT_MAX))
                        .map(told -> told.get(WAIT_MAX + ".refused"))
                        .orElse(null);
                if (seconds != null) {
                    longest = Optional.of(Math.max(longest.orElse(0.0), 1000 * seconds));
                }
            }
        }
        return longest;
    }

    /** Seconds until two seconds in a row are normal; the length of the stretch if there are none. */
    private static double recoverySeconds(Part normal, StretchResult after) {
        double p99Max =
                NORMAL_P99_FACTOR_MAX * Percentiles.millis(normal.slice().allDone(), 99) + NORMAL_P99_MILLIS_MORE;
        double doneMin = NORMAL_THROUGHPUT_SHARE_MIN * normal.throughput();
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
