package dev.kvorum.load.report;

import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.generate.ValueSizes;
import dev.kvorum.load.run.Leg;
import dev.kvorum.load.run.RoundResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The raw histograms of a round as an HdrHistogram log that its own tools read: one interval per second and operation, in
 * microseconds, tagged with the stretch and the operation, as {@code measured/GET}; where values differ in length, the same requests once more by that,
 * as {@code measured/64KiB}.
 */
public final class HistogramLog {
    private HistogramLog() {}

    public static void write(RoundResult round, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (var stream = Files.newOutputStream(file)) {
            HistogramLogWriter log = new HistogramLogWriter(stream);
            log.outputComment(
                    "[Latency in microseconds of requests with the wanted answer, counted from when they were due]");
            log.outputLogFormatVersion();
            log.outputStartTime(round.startMillis());
            log.outputLegend();
            for (Leg leg : round.legs()) {
                for (TimedSlice timed : leg.result().slices()) {
                    timed.slice()
                            .done()
                            .forEach((operation, histogram) ->
                                    write(log, leg.name() + "/" + operation, timed, histogram));
                    timed.slice()
                            .sizes()
                            .forEach((bytes, histogram) ->
                                    write(log, leg.name() + "/" + ValueSizes.name(bytes), timed, histogram));
                    if (timed.slice().refused().getTotalCount() > 0) {
                        write(log, leg.name() + "/REFUSED", timed, timed.slice().refused());
                    }
                }
            }
        }
    }

    private static void write(HistogramLogWriter log, String tag, TimedSlice timed, Histogram histogram) {
        histogram.setTag(tag);
        histogram.setStartTimeStamp(timed.startMillis());
        histogram.setEndTimeStamp(timed.endMillis());
        log.outputIntervalHistogram(histogram);
    }
}
