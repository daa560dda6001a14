package dev.kvorum.node.scrub;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** What a scrub counts. */
public final class ScrubMetrics {
    private final MeterRegistry meters;
    private final Counter bytes;
    private final Counter cells;
    private final Counter files;

    public ScrubMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.bytes = Counter.builder("kvorum.scrub.bytes")
                .description("Bytes of cells and files that scrubs have read and checked")
                .register(meters);
        this.cells = found("cell");
        this.files = found("file");
    }

    private Counter found(String what) {
        return Counter.builder("kvorum.scrub.damaged")
                .description("Cells and files that scrubs have found damaged")
                .tag("what", what)
                .register(meters);
    }

    void count(ScrubFindings found) {
        bytes.increment((double) found.bytes());
        cells.increment((double) found.damagedCells());
        files.increment((double) found.damagedFiles());
    }

    void watch(Scrub scrub) {
        gauge(
                scrub,
                "kvorum.scrub.progress",
                "How far the present scrub is, from 0 to 1; 0 if there is none",
                of -> of.status().progress());
        Gauge.builder("kvorum.scrub.age", scrub, Scrub::ageSeconds)
                .description("How long ago the last scrub was completed; since this node first ran, if none was")
                .baseUnit("seconds")
                .register(meters);
        gauge(
                scrub,
                "kvorum.scrub.unread",
                "Partitions and files that the present scrub could not read yet: it is not completed before",
                of -> of.status().found().unread());
        gauge(
                scrub,
                "kvorum.clock.ahead.cells",
                "Stored cells whose versions are further ahead than clocks may be, as the last scrub has found",
                of -> of.status().ahead());
    }

    private void gauge(Scrub scrub, String name, String description, ToDoubleFunction<Scrub> number) {
        Gauge.builder(name, scrub, number).description(description).register(meters);
    }
}
