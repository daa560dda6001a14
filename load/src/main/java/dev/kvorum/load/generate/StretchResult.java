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
    private static final int SLICES_MIN = 3; // Of a shorter stretch, all count.

    /**
     * @param startMillis since the epoch
     * @param endMillis   since the epoch
     */
    public record TimedSlice(long startMillis, long endMillis, Slice slice) {
        public double seconds() {
            return (endMillis - startMillis) / 1000.0;
        }
    }

    /**
     * The requests of some time of the stretch.
     *
     * @param slice       all, also those that were answered only after the end of the stretch
     * @param inTime      those that were not
     * @param fromMillis  since the epoch
     * @param untilMillis since the epoch
     */
    public record Part(Slice slice, Slice inTime, long fromMillis, long untilMillis) {
        public double seconds() {
            return (untilMillis - fromMillis) / 1000.0;
        }

        /** Wanted answers a second. */
        public double throughput() {
            return untilMillis > fromMillis ? inTime.count(Outcome.DONE) / seconds() : 0;
        }
    }

    public StretchResult {
        slices = List.copyOf(slices);
        problems = List.copyOf(problems);
    }

    /** Requests that were begun and of which nothing was heard, not even that they failed. */
    public long unaccounted() {
        return Math.max(0, begun - total.ended());
    }

    /**
     * What counts: all from the second slice on. In the first, connections are opened, and processors that have rested begin to work: it is a
     * hundredth of a short stretch, and would be its p99.
     */
    public Part settled() {
        return part(slices.size() < SLICES_MIN ? 0 : slices.getFirst().endMillis(), Long.MAX_VALUE);
    }

    /** The slices that began from the one time on and before the other, both in milliseconds since the epoch. */
    public Part part(long fromMillis, long untilMillis) {
        List<TimedSlice> within = slices.stream()
                .filter(slice -> slice.startMillis() >= fromMillis && slice.startMillis() < untilMillis)
                .toList();
        if (within.isEmpty()) {
            return new Part(Slice.empty(), Slice.empty(), fromMillis, fromMillis);
        }
        long begin = within.getFirst().startMillis();
        long end = slices.getFirst().startMillis() + Math.round(1000 * seconds);
        Slice sum = Slice.empty();
        Slice inTime = Slice.empty();
        for (TimedSlice slice : within) {
            sum.add(slice.slice());
            if (slice.startMillis() < end) {
                inTime.add(slice.slice());
            }
        }
        return new Part(
                sum,
                inTime,
                begin,
                Math.max(begin, Math.min(end, within.getLast().endMillis())));
    }

    /** Requests that were due and never begun. */
    public long notSent() {
        return Math.max(0, due - begun);
    }
}
