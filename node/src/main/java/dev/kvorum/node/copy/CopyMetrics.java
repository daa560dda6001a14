package dev.kvorum.node.copy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What this node reads and drops of its own copies. Any thread. */
public final class CopyMetrics {
    private final Counter scanned;
    private final Counter dropped;

    public CopyMetrics(MeterRegistry meters) {
        this.scanned =
                counter(meters, "kvorum.repair.scanned.bytes", "Bytes of cells read to be compared, moved or dropped");
        this.dropped = counter(meters, "kvorum.repair.dropped", "Deletions and expired values that were dropped");
    }

    private static Counter counter(MeterRegistry meters, String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }

    void scanned(long bytes) {
        scanned.increment((double) bytes);
    }

    void dropped() {
        dropped.increment();
    }
}
