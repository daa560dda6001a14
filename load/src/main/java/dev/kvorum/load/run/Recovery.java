package dev.kvorum.load.run;

import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.generate.StretchResult.TimedSlice;

/** How long a normal load needs after an overload until it is as it was before. */
final class Recovery {
    private static final int NORMAL_SECONDS = 2;
    private static final double P99_FACTOR_MAX = 2;
    private static final double P99_MILLIS_MORE = 5;
    private static final double THROUGHPUT_SHARE_MIN = 0.9;

    private Recovery() {}

    /** Whole seconds until two seconds in a row are normal; the length of the stretch if there are none. */
    static double seconds(Part normal, StretchResult after) {
        double p99Max = P99_FACTOR_MAX * Percentiles.millis(normal.slice().allDone(), 99) + P99_MILLIS_MORE;
        double doneMin = THROUGHPUT_SHARE_MIN * normal.throughput();
        int normalInARow = 0;
        for (TimedSlice slice : after.slices()) {
            boolean isNormal = slice.slice().count(Outcome.DONE) >= doneMin * slice.seconds()
                    && slice.slice().errors() + slice.slice().count(Outcome.REFUSED) == 0
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
