package dev.kvorum.node.replica;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Calls to the other members, by member, operation and outcome. Any thread. */
public final class ReplicaMetrics {
    private static final double NANOS = 1e9;

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

    /**
     * Shows how a member answers.
     *
     * @param health its health at present, or null where it is none any more
     */
    void watch(String member, Function<String, @Nullable ReplicaHealth> health, LongSupplier nanos) {
        gauge(
                "kvorum.replica.breaker",
                "How reads see the member: 0 trusted, 1 being tried, 2 avoided",
                member,
                health,
                one -> one.breaker().ordinal());
        gauge(
                "kvorum.replica.calls.in.flight",
                "Calls to the member that have no answer yet",
                member,
                health,
                one -> one.inFlight());
        gauge(
                "kvorum.replica.read.average.seconds",
                "Moving average of the time the member takes to answer a read",
                member,
                health,
                one -> one.average(nanos.getAsLong()) / NANOS);
        gauge(
                "kvorum.replica.read.p99.seconds",
                "Time in which the member has lately answered 99 of 100 reads",
                member,
                health,
                one -> one.p99(nanos.getAsLong()) / NANOS);
    }

    private void gauge(
            String name,
            String description,
            String member,
            Function<String, @Nullable ReplicaHealth> health,
            ToDoubleFunction<ReplicaHealth> value) {
        Gauge.builder(name, () -> {
                    ReplicaHealth present = health.apply(member);
                    return present == null ? Double.NaN : value.applyAsDouble(present);
                })
                .description(description)
                .tag("member", member)
                .register(meters);
    }

    /** The breaker of a member has changed. */
    void breakerChanged(String member, Breaker.State now) {
        Counter.builder("kvorum.replica.breaker.transitions")
                .description("Changes of how reads see the member")
                .tag("member", member)
                .tag("to", now.name().toLowerCase(Locale.ROOT))
                .register(meters)
                .increment();
    }

    /** The cancelled calls of a member that are let run to their end all the same. */
    Counter witnesses(String member) {
        return Counter.builder("kvorum.replica.witnesses")
                .description(
                        "Reads that were not needed any more, but let run to their end to see how long the member takes")
                .tag("member", member)
                .register(meters);
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
