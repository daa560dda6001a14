package dev.kvorum.node.hint;

import dev.kvorum.node.hint.Delivery.End;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.HintStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** Hints by what became of them, and those that wait, by member. Any thread. */
public final class HintMetrics {
    private static final double MILLIS = 1e3;

    private final MeterRegistry meters;
    private final HintStore store;
    private final LongSupplier wallMillis;
    private final Map<String, List<Meter>> gauges = new ConcurrentHashMap<>();
    private final Counter stored;
    private final Counter replayed;
    private final Counter rerouted;
    private final Counter refused;
    private final Counter failed;
    private final Counter full;
    private final Counter expired;
    private final Counter unstorable;
    private final Counter damaged;

    /** @param wallMillis milliseconds since 1970 */
    public HintMetrics(MeterRegistry meters, HintStore store, LongSupplier wallMillis) {
        this.meters = meters;
        this.store = store;
        this.wallMillis = wallMillis;
        this.stored = counter("kvorum.hints.stored", "Hints kept for replicas that did not take a write");
        this.replayed = counter("kvorum.hints.replayed", "Hints that were taken by those they were brought to");
        this.rerouted = counter(
                "kvorum.hints.rerouted", "Of those replayed, the ones whose member does not own the key any more");
        this.refused = counter("kvorum.hints.refused", "Hints that a replica refused; they are tried again");
        this.failed =
                counter("kvorum.hints.failed", "Hints that could not be brought to a replica; they are tried again");
        this.full = dropped("full");
        this.expired = dropped("expired");
        this.unstorable = dropped("unstorable");
        this.damaged = dropped("damaged");
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }

    private Counter dropped(String reason) {
        return Counter.builder("kvorum.hints.dropped")
                .description("Hints that were not kept, or not until they were taken")
                .tag("reason", reason)
                .register(meters);
    }

    /** @param gone how many older ones had to go for it */
    void stored(int gone) {
        stored.increment();
        full.increment(gone);
    }

    void unstorable() {
        unstorable.increment();
    }

    void expired(int hints) {
        expired.increment(hints);
    }

    void damaged(int hints) {
        damaged.increment(hints);
    }

    void brought(HintBatch batch) {
        replayed.increment(batch.count(End.TAKEN));
        rerouted.increment(batch.rerouted());
        refused.increment(batch.count(End.REFUSED));
        failed.increment(batch.count(End.FAILED));
        expired(batch.expired().size());
    }

    /** Shows what waits for a member, until {@link #forget}. */
    void watch(String member) {
        gauges.computeIfAbsent(
                member,
                id -> List.of(
                        gauge("kvorum.hints.waiting", "Hints that wait for the member", id, HintBacklog::hints),
                        gauge("kvorum.hints.waiting.bytes", "Bytes of them", id, HintBacklog::bytes),
                        gauge(
                                "kvorum.hints.oldest.seconds",
                                "Age of the oldest hint that waits for the member",
                                id,
                                backlog -> (wallMillis.getAsLong() - backlog.oldestMillis()) / MILLIS)));
    }

    private Meter gauge(String name, String description, String member, ToDoubleFunction<HintBacklog> value) {
        return Gauge.builder(name, () -> {
                    HintBacklog backlog = store.waiting().get(member);
                    return backlog == null ? 0 : value.applyAsDouble(backlog);
                })
                .description(description)
                .tag("member", member)
                .register(meters);
    }

    void forget(String member) {
        List<Meter> known = gauges.remove(member);
        if (known != null) {
            known.forEach(meters::remove);
        }
    }
}
