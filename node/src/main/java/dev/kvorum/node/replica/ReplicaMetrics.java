package dev.kvorum.node.replica;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Calls to the other members, by member, operation and outcome. Any thread. */
public final class ReplicaMetrics {
    private final MeterRegistry meters;
    private final Counter clockTooFarAhead;

    public ReplicaMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.clockTooFarAhead = Counter.builder("kvorum.clock.refused")
                .description("Cells refused because their version is too far ahead of this node's clock")
                .register(meters);
    }

    void clockTooFarAhead() {
        clockTooFarAhead.increment();
    }

    OfMember of(String member) {
        return new OfMember(meters, member);
    }

    /** The calls to one member. */
    static final class OfMember {
        private final MeterRegistry meters;
        private final String member;
        private final Counter cancelled;
        private final Map<String, Timer> timers = new ConcurrentHashMap<>();

        OfMember(MeterRegistry meters, String member) {
            this.meters = meters;
            this.member = member;
            this.cancelled = Counter.builder("kvorum.replica.cancelled")
                    .description("Calls to a member whose answer was not needed any more")
                    .tag("member", member)
                    .register(meters);
        }

        void cancelled() {
            cancelled.increment();
        }

        void answered(String operation, Object reply, long nanos) {
            String outcome =
                    reply instanceof ReplicaFailure failure ? failure.reason().name() : "SUCCESS";
            // The key is not built per call: both parts are constants, and few.
            timers.computeIfAbsent(
                            operation.equals("read") ? outcome : "w " + outcome, key -> timer(operation, outcome))
                    .record(nanos, TimeUnit.NANOSECONDS);
        }

        private Timer timer(String operation, String outcome) {
            return Timer.builder("kvorum.replica.calls")
                    .description("Calls to a member, from sending to the answer")
                    .tag("member", member)
                    .tag("operation", operation)
                    .tag("outcome", outcome.toLowerCase(Locale.ROOT))
                    .register(meters);
        }
    }
}
