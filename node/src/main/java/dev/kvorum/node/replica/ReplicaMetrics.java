package dev.kvorum.node.replica;

import dev.kvorum.node.replica.ReplicaFailure.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Calls to the other members, by member, operation and outcome. Any thread. */
public final class ReplicaMetrics {
    private static final double NANOS = 1e9;

    private final MeterRegistry meters;
    private final Map<String, Set<Meter>> ofMembers = new HashMap<>(); // Of those there are; under the lock.
    private final Counter clockTooFarAhead;
    private final Counter contradictingTopology;
    private final Counter belowFloor;

    public ReplicaMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.clockTooFarAhead = Counter.builder("kvorum.clock.refused")
                .description("Cells refused because their version is too far ahead of this node's clock")
                .register(meters);
        this.belowFloor = Counter.builder("kvorum.writes.below.floor")
                .description(
                        "Fresh writes sent back to their coordinator to be stamped anew, as this node may have acknowledged a newer one")
                .register(meters);
        this.contradictingTopology = Counter.builder("kvorum.topology.contradictions")
                .description(
                        "Calls of members that go by another topology of the same epoch, which this node has refused")
                .register(meters);
    }

    void contradictingTopology() {
        contradictingTopology.increment();
    }

    void belowFloor() {
        belowFloor.increment();
    }

    void clockTooFarAhead() {
        clockTooFarAhead.increment();
    }

    /**
     * From now on these members have meters, and no others: those of a member that has left go with it, and calls to it that are answered later
     * count nowhere.
     *
     * @param health of a member at present, or null where it is none
     */
    synchronized void become(
            Collection<String> members, Function<String, @Nullable ReplicaHealth> health, LongSupplier nanos) {
        ofMembers.entrySet().removeIf(known -> {
            boolean gone = !members.contains(known.getKey());
            if (gone) {
                known.getValue().forEach(meters::remove);
            }
            return gone;
        });
        for (String member : members) {
            if (ofMembers.putIfAbsent(member, new HashSet<>()) == null) {
                watch(member, health, nanos);
            }
        }
    }

    private void watch(String member, Function<String, @Nullable ReplicaHealth> health, LongSupplier nanos) {
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
        Gauge.Builder<?> gauge = Gauge.builder(name, () -> {
                    ReplicaHealth present = health.apply(member);
                    return present == null ? Double.NaN : value.applyAsDouble(present);
                })
                .description(description)
                .tag("member", member);
        var _ = ofMember(member, () -> gauge.register(meters));
    }

    /** Makes a meter of a member, or finds it; null where that is none. Rare: whoever counts keeps it. */
    private synchronized <M extends Meter> @Nullable M ofMember(String member, Supplier<M> register) {
        Set<Meter> known = ofMembers.get(member);
        if (known == null) {
            return null;
        }
        M meter = register.get();
        known.add(meter);
        return meter;
    }

    /** The breaker of a member has changed. */
    void breakerChanged(String member, Breaker.State now) {
        Counter.Builder changes = Counter.builder("kvorum.replica.breaker.transitions")
                .description("Changes of how reads see the member")
                .tag("member", member)
                .tag("to", now.name().toLowerCase(Locale.ROOT));
        Counter counter = ofMember(member, () -> changes.register(meters));
        if (counter != null) {
            counter.increment();
        }
    }

    OfMember of(String member) {
        return new OfMember(this, member);
    }

    /** The calls to one member. Nothing is counted while it is none. */
    static final class OfMember {
        private static final int SUCCESS = Reason.values().length; // Its place among the outcomes, behind the failures.

        private final ReplicaMetrics all;
        private final String member;
        private volatile @Nullable Counter cancelled;
        private volatile @Nullable Counter witnesses;
        private volatile @Nullable Counter spared;
        private final AtomicReferenceArray<@Nullable Timer> reads = new AtomicReferenceArray<>(SUCCESS + 1);
        private final AtomicReferenceArray<@Nullable Timer> writes = new AtomicReferenceArray<>(SUCCESS + 1);

        OfMember(ReplicaMetrics all, String member) {
            this.all = all;
            this.member = member;
            this.cancelled = cancelledCounter(); // Shown from the beginning, as 0.
            this.witnesses = witnessCounter();
            this.spared = sparedCounter();
        }

        private @Nullable Counter cancelledCounter() {
            return counter("kvorum.replica.cancelled", "Calls to a member whose answer was not needed any more");
        }

        private @Nullable Counter witnessCounter() {
            return counter(
                    "kvorum.replica.witnesses",
                    "Reads that were not needed any more, but let run to their end to see how long the member takes");
        }

        private @Nullable Counter sparedCounter() {
            return counter(
                    "kvorum.replica.writes.spared",
                    "Writes that a silent member was not sent, as enough calls waited for it and others sufficed");
        }

        private @Nullable Counter counter(String name, String description) {
            Counter.Builder counter =
                    Counter.builder(name).description(description).tag("member", member);
            return all.ofMember(member, () -> counter.register(all.meters));
        }

        void cancelled() {
            Counter counter = cancelled;
            if (counter == null) {
                counter = cancelledCounter();
                cancelled = counter;
            }
            increment(counter);
        }

        void witnessTaken() {
            Counter counter = witnesses;
            if (counter == null) {
                counter = witnessCounter();
                witnesses = counter;
            }
            increment(counter);
        }

        void writeSpared() {
            Counter counter = spared;
            if (counter == null) {
                counter = sparedCounter();
                spared = counter;
            }
            increment(counter);
        }

        private static void increment(@Nullable Counter counter) {
            if (counter != null) {
                counter.increment();
            }
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
            if (timer != null) {
                timer.record(nanos, TimeUnit.NANOSECONDS);
            }
        }

        private @Nullable Timer timer(String operation, String outcome) {
            Timer.Builder timer = Timer.builder("kvorum.replica.calls")
                    .description("Calls to a member, from sending to the answer")
                    .tag("member", member)
                    .tag("operation", operation)
                    .tag("outcome", outcome.toLowerCase(Locale.ROOT));
            return all.ofMember(member, () -> timer.register(all.meters));
        }
    }
}
