package dev.kvorum.node.repair;

import dev.kvorum.node.copy.CopyMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.DoubleSupplier;

/** What repair counts. */
public final class RepairMetrics {
    private final MeterRegistry meters;
    private final Counter verified;
    private final Counter incomplete;
    private final Counter mended;
    private final Counter handedOver;
    private final Counter pulled;
    private final Counter pushed;
    private final Counter sent;
    private final CopyMetrics copies;

    public RepairMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.verified = runs("verified");
        this.incomplete = runs("incomplete");
        this.mended = runs("mended");
        this.handedOver = runs("handed-over");
        this.pulled = cells("pulled");
        this.pushed = cells("pushed");
        this.sent =
                counter("kvorum.repair.exchanged.bytes", "Bytes of lists and cells that runs of this node exchanged");
        this.copies = new CopyMetrics(meters);
    }

    private Counter runs(String outcome) {
        return Counter.builder("kvorum.repair.runs")
                .description("Comparisons of a partition with all its members that this node has begun")
                .tag("outcome", outcome)
                .register(meters);
    }

    private Counter cells(String way) {
        return Counter.builder("kvorum.repair.cells")
                .description("Cells that a run of this node pulled from others, or pushed to them")
                .tag("way", way)
                .register(meters);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }

    void watch(String name, String description, DoubleSupplier number) {
        gauge(name, description, number).register(meters);
    }

    void watchSeconds(String name, String description, DoubleSupplier seconds) {
        gauge(name, description, seconds).baseUnit("seconds").register(meters);
    }

    private static Gauge.Builder<DoubleSupplier> gauge(String name, String description, DoubleSupplier number) {
        return Gauge.builder(name, number, DoubleSupplier::getAsDouble)
                .description(description)
                .strongReference(true);
    }

    void ended(RepairOutcome outcome) {
        switch (outcome) {
            case RepairOutcome.Verified run -> verified.increment();
            case RepairOutcome.Mended run -> mended.increment();
            case RepairOutcome.Incomplete run -> incomplete.increment();
            case RepairOutcome.HandedOver run -> handedOver.increment();
        }
    }

    void exchanged(Exchanged exchanged) {
        pulled.increment((double) exchanged.pulled());
        pushed.increment((double) exchanged.pushed());
        sent.increment((double) exchanged.bytes());
    }

    CopyMetrics copies() {
        return copies;
    }
}
