package dev.kvorum.node.repair;

import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.WriteReply;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What reads have done about replicas that they found behind. Any thread. */
public final class ReadRepairMetrics {
    private final Counter sent;
    private final Counter mended;
    private final Counter failed;
    private final Counter waited;
    private final Counter busy;
    private final Counter overBudget;

    public ReadRepairMetrics(MeterRegistry meters) {
        this.sent = counter(meters, "kvorum.read.repairs.sent", "Cells sent to replicas that a read found behind");
        this.mended = counter(meters, "kvorum.read.repairs.mended", "Of those, the ones that were taken");
        this.failed = counter(meters, "kvorum.read.repairs.failed", "Of those, the ones that were not");
        this.waited = counter(
                meters, "kvorum.read.repairs.waited", "Reads that waited until enough replicas had the newest cell");
        this.busy = dropped(meters, "busy");
        this.overBudget = dropped(meters, "budget");
    }

    private static Counter counter(MeterRegistry meters, String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }

    private static Counter dropped(MeterRegistry meters, String reason) {
        return Counter.builder("kvorum.read.repairs.dropped")
                .description("Replicas that a read found behind and let be")
                .tag("reason", reason)
                .register(meters);
    }

    public void sent(int cells) {
        sent.increment(cells);
    }

    /** A replica has replied to a cell that it was sent. */
    public void answered(WriteReply reply) {
        switch (reply) {
            case WriteReply.Stored stored -> mended.increment();
            case WriteReply.Below _, ReplicaFailure _ -> failed.increment();
        }
    }

    public void waited() {
        waited.increment();
    }

    void busy() {
        busy.increment();
    }

    public void overBudget() {
        overBudget.increment();
    }
}
