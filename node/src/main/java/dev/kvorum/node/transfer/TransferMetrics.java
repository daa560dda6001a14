package dev.kvorum.node.transfer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.IntSupplier;

/** What transfer counts. */
public final class TransferMetrics {
    private final MeterRegistry meters;
    private final Counter cells;
    private final Counter bytes;
    private final Counter failures;
    private final Counter dropped;

    public TransferMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.cells = counter("kvorum.transfer.cells", "Cells that this node has pulled as members have changed");
        this.bytes = counter("kvorum.transfer.bytes", "Bytes of lists and cells that it has pulled for that");
        this.failures = counter("kvorum.transfer.failures", "Attempts to pull or drop a partition that failed");
        this.dropped = counter("kvorum.transfer.dropped", "Partitions that it has dropped, as others own them");
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }

    void watch(IntSupplier left, IntSupplier former) {
        gauge(
                "kvorum.transfer.left",
                "Partitions that this node has to pull before the running change can go on",
                left);
        gauge("kvorum.transfer.former", "Partitions that this node may hold though it need not", former);
    }

    private void gauge(String name, String description, IntSupplier number) {
        Gauge.builder(name, number, IntSupplier::getAsInt)
                .description(description)
                .strongReference(true)
                .register(meters);
    }

    void moved(long moreCells, long moreBytes) {
        cells.increment((double) moreCells);
        bytes.increment((double) moreBytes);
    }

    void failed() {
        failures.increment();
    }

    void dropped() {
        dropped.increment();
    }
}
