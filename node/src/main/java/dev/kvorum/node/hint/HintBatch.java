package dev.kvorum.node.hint;

import dev.kvorum.node.hint.Delivery.End;
import dev.kvorum.node.storage.StoredHint;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of a batch of hints.
 *
 * @param expired those that were too old to be brought to anybody
 * @param deliveries the others
 */
record HintBatch(List<StoredHint> expired, List<Delivery> deliveries) {
    boolean isEmpty() {
        return expired.isEmpty() && deliveries.isEmpty();
    }

    int count(End end) {
        return (int) deliveries.stream().filter(one -> one.end() == end).count();
    }

    /** How many were taken by others than those they were for. */
    int rerouted() {
        return (int) deliveries.stream()
                .filter(one -> one.rerouted() && one.end() == End.TAKEN)
                .count();
    }

    /** Those that are not owed any more. */
    List<StoredHint> done() {
        List<StoredHint> done = new ArrayList<>(expired);
        deliveries.stream()
                .filter(one -> one.end() == End.TAKEN)
                .map(Delivery::hint)
                .forEach(done::add);
        return done;
    }

    /** The place of the first that failed; only where one has. */
    long firstFailed() {
        return deliveries.stream()
                .filter(one -> one.end() == End.FAILED)
                .mapToLong(one -> one.hint().sequence())
                .min()
                .orElseThrow();
    }

    /** The place behind its last one; only where it is not empty. */
    long end() {
        long last = Math.max(
                expired.stream().mapToLong(StoredHint::sequence).max().orElse(-1),
                deliveries.stream()
                        .mapToLong(one -> one.hint().sequence())
                        .max()
                        .orElse(-1));
        return last + 1;
    }
}
