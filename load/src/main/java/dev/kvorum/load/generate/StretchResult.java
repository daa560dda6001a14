package dev.kvorum.load.generate;

import java.util.List;

/**
 * What a stretch of load came to.
 *
 * @param total           all requests
 * @param slices          one per second, in order
 * @param seconds         length of the stretch
 * @param begun           requests begun
 * @param due             requests that should have been begun; equals {@code begun} in a closed loop
 * @param late            begun more than 10 ms after they were due
 * @param generatorMicros processor time that the generator's process took, user and system, in microseconds
 * @param problems        in what the generator failed; what it measured is then not the store alone
 */
public record StretchResult(
        Slice total,
        List<TimedSlice> slices,
        double seconds,
        long begun,
        long due,
        long late,
        long generatorMicros,
        List<String> problems) {

    /**
     * @param startMillis since the epoch
     * @param endMillis   since the epoch
     */
    public record TimedSlice(long startMillis, long endMillis, Slice slice) {}

    public StretchResult {
        slices = List.copyOf(slices);
        problems = List.copyOf(problems);
    }

    /** Requests that were begun and of which nothing was heard, not even that they failed. */
    public long unaccounted() {
        return Math.max(0, begun - total.ended());
    }

    /** Requests that were due and never begun. */
    public long notSent() {
        return Math.max(0, due - begun);
    }
}
