package dev.kvorum.history.check;

import dev.kvorum.history.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The newest version that the quorums have come to by some time, for each kind of quorum: they are few, the operations many. */
final class Frontier {
    private final Losses losses;
    private final List<Reached> afterEachLoss;

    /** A quorum by what is left of it. */
    private record Kind(int ack, int from) {}

    /** By the losses so far. */
    private record Reached(Losses losses, Map<Kind, Operation> newest) {
        void add(Operation operation, int others, int from) {
            int ack = losses.ackCounted(operation, others);
            if (ack > 0) {
                newest.merge(new Kind(ack, from), operation, Frontier::newer);
            }
        }
    }

    Frontier(Losses losses) {
        this.losses = losses;
        this.afterEachLoss = losses.prefixes().stream()
                .map(known -> new Reached(known, new HashMap<>()))
                .toList();
    }

    /** An operation has ended: a quorum holds its version. */
    void add(Operation operation) {
        add(operation, 0, operation.request().from());
    }

    /**
     * As {@link #add(Operation)}, but only some of the quorum hold it.
     *
     * @param others how many of those that answered do not
     * @param from out of how many first owners the rest are
     */
    void add(Operation operation, int others, int from) {
        afterEachLoss.forEach(reached -> reached.add(operation, others, from));
    }

    private static Operation newer(Operation one, Operation other) {
        return KeyHistory.versionOf(one).compareTo(KeyHistory.versionOf(other)) >= 0 ? one : other;
    }

    /** The newest that an operation must have met, or null: for any two quorums that overlap have a replica in common. Disks that are lost after its end excuse nothing. */
    @Nullable
    Operation newestFor(Operation operation) {
        Operation required = null;
        Map<Kind, Operation> newest =
                afterEachLoss.get(losses.until(operation.returned())).newest();
        for (Map.Entry<Kind, Operation> entry : newest.entrySet()) {
            Kind quorum = entry.getKey();
            if (operation.request().overlaps(quorum.ack, quorum.from)) {
                required = required == null ? entry.getValue() : newer(required, entry.getValue());
            }
        }
        return required;
    }
}
