package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.storage.DamageListener;
import dev.kvorum.node.storage.StorageKey;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Predicate;

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
     * The cell that is stored there.
     *
     * @throws MalformedCellException if it is damaged; that was counted and told
     */
    Cell intact(byte[] storageKey, Key key, byte[] bytes) {
        try {
            return Cell.decode(bytes).requireIntact(key);
        } catch (MalformedCellException e) {
            var _ = met(storageKey, key, bytes);
            throw e;
        }
    }

    /**
     * Those bytes are stored under that key and are no cell of it.
     *
     * @return as {@link DamageListener#damaged}
     */
    boolean met(byte[] storageKey, Key key, byte[] bytes) {
        corruptions.increment();
        return listener.damaged(StorageKey.partitionOf(storageKey), key, PendingRemoval.by(writer, storageKey, bytes));
    }
}
