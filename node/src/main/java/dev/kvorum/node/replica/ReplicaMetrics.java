package dev.kvorum.node.replica;

import dev.kvorum.node.replica.ReplicaFailure.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
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

    OfMember of(String member) {
        return new OfMember(meters, member);
    }

    /** The calls to one member. */
    static final class OfMember {
        private static final int SUCCESS = Reason.values().length; // Its place among the outcomes, behind the failures.

        private final MeterRegistry meters;
        private final String member;
        private final Counter cancelled;
        private final Counter witnesses;
        private final Counter spared;
        private final AtomicReferenceArray<@Nullable Timer> reads = new AtomicReferenceArray<>(SUCCESS + 1);
        private final AtomicReferenceArray<@Nullable Timer> writes = new AtomicReferenceArray<>(SUCCESS + 1);

        OfMember(MeterRegistry meters, String member) {
            this.meters = meters;
            this.member = member;
            this.cancelled =
                    counter("kvorum.replica.cancelled", "Calls to a member whose answer was not needed any more");
            this.witnesses = counter(
                    "kvorum.replica.witnesses",
                    "Reads that were not needed any more, but let run to their end to see how long the member takes");
            this.spared = counter(
                    "kvorum.replica.writes.spared",
                    "Writes that a silent member was not sent, as enough calls waited for it and others sufficed");
        }

        private Counter counter(String name, String description) {
            return Counter.builder(name)
                    .description(description)
                    .tag("member", member)
                    .register(meters);
        }

        void cancelled() {
            cancelled.increment();
        }

        void witnessTaken() {
            witnesses.increment();
        }

        void writeSpared() {
            spared.increment();
        }

        void answered(boolean read, Object reply, long nanos) {
            int outcome =
                    reply instanceof ReplicaFailure failure ? failure.reason().ordinal() : SUCCESS;
            AtomicReferenceArray<@Nullable Timer> timers = read ? reads : writes;
            Timer timer = timers.get(outcome);
            if (timer == null) {
                timer = timer(
                        read ? "read" : "write", outcome == SUCCESS ? "success" : Reason.values()[outcome].name());
                timers.set(outcome, timer); // Made twice it is the same: the registry knows it.
            }
            timer.record(nanos, TimeUnit.NANOSECONDS);
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
