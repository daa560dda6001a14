package dev.kvorum.node.coordinator;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What reads asked for beyond and short of their replicas. Any thread. */
public final class ReadMetrics {
    private final Counter sent;
    private final Counter won;
    private final Counter wasted;
    private final Counter refused;
    private final Counter replaced;
    private final Counter unasked;
    private final Counter unused;

    public ReadMetrics(MeterRegistry meters, FanOut fanOut) {
        this.sent = counter(meters, "kvorum.read.hedges.sent", "Requests sent because a replica was late");
        this.won = counter(meters, "kvorum.read.hedges.won", "Hedges whose answer counted");
        this.wasted = counter(meters, "kvorum.read.hedges.wasted", "Hedges whose answer did not count");
        this.refused = counter(meters, "kvorum.read.hedges.refused", "Hedges put off because the budget was spent");
        this.replaced =
                counter(meters, "kvorum.read.replaced", "Requests sent because a replica failed or came to be avoided");
        this.unasked = counter(meters, "kvorum.read.unasked", "Replicas that a read could do without asking");
        this.unused = counter(meters, "kvorum.read.unused", "Answers that came after their read was decided");
        Gauge.builder("kvorum.read.hedging", fanOut, mode -> mode.breadth() == Breadth.NEEDED ? 1 : 0)
                .description("Whether reads ask as many replicas as must answer (1), or may ask more at once (0)")
                .strongReference(true)
                .register(meters);
    }

    private static Counter counter(MeterRegistry meters, String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }

    void hedgeSent() {
        sent.increment();
    }

    void hedgeEnded(boolean counted) {
        (counted ? won : wasted).increment();
    }

    void hedgeRefused() {
        refused.increment();
    }

    void replaced() {
        replaced.increment();
    }

    void unasked(int replicas) {
        if (replicas > 0) {
            unasked.increment(replicas);
        }
    }

    void unused() {
        unused.increment();
    }
}
