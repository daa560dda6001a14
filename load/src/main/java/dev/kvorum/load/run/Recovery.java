package dev.kvorum.load.run;

import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.generate.StretchResult.TimedSlice;

/**
 * How long a normal load needs after an overload until it is as it was before: of its seconds, p99 and refusals at most twice what they were, and nearly as many answers, but no error. A normal load of large values is
 * refused something now and then, as few of them may be under way and the collector stands still longer than as many can wait; where it was refused nothing before, one refusal is too much.
 */
final class Recovery {
    private static final int NORMAL_SECONDS = 2;
    private static final double FACTOR_MAX = 2;
    private static final double P99_MILLIS_MORE = 5;
    private static final double THROUGHPUT_SHARE_MIN = 0.9;

    private Recovery() {}

    /** Whole seconds until two seconds in a row are normal; the length of the stretch if there are none. */
    static double seconds(Part normal, StretchResult after) {
        double p99Max = FACTOR_MAX * Percentiles.millis(normal.slice().allDone(), 99) + P99_MILLIS_MORE;
        double refusedMax =
                normal.seconds() > 0 ? FACTOR_MAX * normal.slice().count(Outcome.REFUSED) / normal.seconds() : 0;
        double doneMin = THROUGHPUT_SHARE_MIN * normal.throughput();
        int normalInARow = 0;
        for (TimedSlice slice : after.slices()) {
            boolean isNormal = slice.slice().count(Outcome.DONE) >= doneMin * slice.seconds()
                    && slice.slice().errors() == 0
                    && slice.slice().count(Outcome.REFUSED) <= refusedMax * slice.seconds()
                    && Percentiles.millis(slice.slice().allDone(), 99) <= p99Max;
            normalInARow = isNormal ? normalInARow + 1 : 0;
            if (normalInARow == NORMAL_SECONDS) {
                double until = (slice.endMillis() - after.slices().getFirst().startMillis()) / 1000.0;
                return Math.max(
                        0, Math.round(until - NORMAL_SECONDS)); // Seconds are some milliseconds longer or shorter.
            }
        }
        return after.seconds();
    }
}
