package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Key;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/** What a store does about damaged cells: it counts them, and tells the listener. Any thread. */
final class MetDamage {
    private final Predicate<Commitment> writer;
    private final Counter corruptions;
    private volatile DamageListener listener = (partition, key, removal) -> false;

    /** @param writer takes removals */
    MetDamage(Predicate<Commitment> writer, MeterRegistry meters) {
        this.writer = writer;
        this.corruptions = Counter.builder("kvorum.storage.corruptions")
                .description("Stored cells that were met and did not have their checksum")
                .register(meters);
    }

    void become(DamageListener next) {
        listener = next;
    }

    /**
     * Those bytes are stored under that key and are no cell of it.
     *
     * @return as {@link DamageListener#damaged}
     */
    boolean met(byte[] storageKey, Key key, byte[] bytes) {
        corruptions.increment();
        return listener.damaged(StorageKey.partitionOf(storageKey), key, removal(storageKey, bytes));
    }

    private Mono<Boolean> removal(byte[] storageKey, byte[] bytes) {
        return Mono.create(sink -> {
            if (!writer.test(new PendingRemoval(storageKey, bytes, sink))) {
                sink.error(new StoreOverloadedException());
            }
        });
    }
}
