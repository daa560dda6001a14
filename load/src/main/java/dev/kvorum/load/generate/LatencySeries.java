package dev.kvorum.load.generate;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Latencies in microseconds, taken out interval by interval: one thread records, another takes. */
final class LatencySeries {
    static final long MICROS_MAX = Duration.ofMinutes(2).toNanos() / 1000;
    static final int DIGITS = 3;

    private final SingleWriterRecorder recorder = new SingleWriterRecorder(1, MICROS_MAX, DIGITS);
    private @Nullable Histogram used;

    void record(long micros) {
        recorder.recordValue(micros);
    }

    /** What was recorded since the last time. Packed, because a soak keeps one for each of its seconds. */
    Histogram take() {
        Histogram interval = recorder.getIntervalHistogram(used);
        used = interval;
        Histogram packed = new PackedHistogram(1, MICROS_MAX, DIGITS);
        if (interval.getTotalCount() > 0) { // To add nothing takes as long as to add much.
            packed.add(interval);
        }
        return packed;
    }
}
