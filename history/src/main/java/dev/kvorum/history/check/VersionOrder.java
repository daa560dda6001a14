package dev.kvorum.history.check;

import dev.kvorum.history.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * That no version is issued twice, and that a life of a node issues none below one it has issued before or, where clocks agree, has read: one
 * that is too far ahead of a node's clock the node does not adopt. It may begin a bounded time below what a former life has issued, and
 * anywhere where the disk was lost as a whole.
 */
final class VersionOrder {
    private static final int MILLIS_DIGITS = 12;
    private static final int HEX = 16;

    private final Losses losses;
    private final Promises promises;
    private final Consumer<Anomaly> found;
    private int life = Operation.LIFE_UNKNOWN; // The latest of which anything has ended.
    private @Nullable Operation issued; // The newest that it has issued,
    private @Nullable Operation read; // that it has read,
    private @Nullable Operation former; // and that any life before it has issued.

    private VersionOrder(Losses losses, Promises promises, Consumer<Anomaly> found) {
        this.losses = losses;
        this.promises = promises;
        this.found = found;
    }

    static void check(List<Operation> operations, Losses losses, Promises promises, Consumer<Anomaly> found) {
        checkUnique(operations, found);
        Map<String, List<Operation>> byNode = new TreeMap<>();
        for (Operation operation : operations) {
            if (operation.answer().version() != null && !operation.answer().isRefused()) {
                byNode.computeIfAbsent(operation.node(), node -> new ArrayList<>())
                        .add(operation);
            }
        }
        byNode.values().forEach(ofNode -> new VersionOrder(losses, promises, found).checkNode(ofNode));
    }

    private static void checkUnique(List<Operation> operations, Consumer<Anomaly> found) {
        Map<String, Operation> byVersion = new HashMap<>();
        for (Operation operation : operations) {
            Operation other = operation.isAcknowledgedWrite()
                    ? byVersion.putIfAbsent(KeyHistory.versionOf(operation), operation)
                    : null;
            if (other != null) {
                found.accept(new Anomaly(
                        Anomaly.Kind.VERSION_ORDER,
                        operation.key(),
                        operation.inWords() + " has the version of " + other.inWords()));
            }
        }
    }

    private void checkNode(List<Operation> operations) {
        operations.sort(Comparator.comparingLong(Operation::invoked));
        PriorityQueue<Operation> underWay = new PriorityQueue<>(Comparator.comparingLong(Operation::returned));
        for (Operation operation : operations) {
            while (!underWay.isEmpty() && underWay.peek().precedes(operation)) {
                ended(underWay.remove());
            }
            if (!operation.request().isRead()) {
                begins(operation);
            }
            underWay.add(operation);
        }
    }

    private void begins(Operation write) {
        boolean sameLife = write.life() == life && life != Operation.LIFE_UNKNOWN;
        requireAbove(write, former, promises.forgottenMax().toMillis());
        requireAbove(write, issued, sameLife ? 0 : promises.forgottenMax().toMillis());
        if (sameLife) {
            requireAbove(write, read, 0);
        }
    }

    private void ended(Operation operation) {
        if (operation.life() > life) {
            life = operation.life();
            former = newer(former, issued);
            issued = null;
            read = null;
        }
        if (operation.request().isRead()) {
            read = operation.life() == life && isAdopted(operation) ? newer(read, operation) : read;
        } else if (operation.life() == life) {
            issued = newer(issued, operation);
        } else {
            former = newer(former, operation);
        }
    }

    private boolean isAdopted(Operation read) {
        return promises.adoption().adopts(millis(read), read.invoked());
    }

    private static @Nullable Operation newer(@Nullable Operation one, @Nullable Operation other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return KeyHistory.versionOf(one).compareTo(KeyHistory.versionOf(other)) >= 0 ? one : other;
    }

    private void requireAbove(Operation write, @Nullable Operation seen, long lessMillis) {
        if (seen == null || KeyHistory.versionOf(write).compareTo(KeyHistory.versionOf(seen)) > 0) {
            return;
        }
        boolean isForgotten = lessMillis > 0 && millis(seen) - millis(write) <= lessMillis;
        if (!isForgotten && !losses.isWipedBetween(seen, write)) {
            found.accept(new Anomaly(
                    Anomaly.Kind.VERSION_ORDER,
                    write.key(),
                    write.inWords() + " has a version below one that the node knew from " + seen.inWords()));
        }
    }

    private static long millis(Operation operation) {
        return Long.parseLong(KeyHistory.versionOf(operation).substring(0, MILLIS_DIGITS), HEX);
    }
}
