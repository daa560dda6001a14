package dev.kvorum.load.cluster;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What comes in leaves in the same order a while later; any number of items may be under way. One thread only.
 *
 * @param <T> what is delayed
 */
final class DelayLine<T> {
    private record Item<T>(T what, long dueNanos) {}

    private final Queue<Item<T>> items = new ArrayDeque<>();
    private long lastDueNanos = Long.MIN_VALUE;

    /** Takes an item in. It never overtakes an earlier one, even where the delay has become shorter. */
    void add(T what, long nowNanos, long delayNanos) {
        long due = nowNanos + delayNanos;
        lastDueNanos = items.isEmpty() ? due : Math.max(due, lastDueNanos);
        items.add(new Item<>(what, lastDueNanos));
    }

    /** The next item that is due, or null. */
    @Nullable
    T poll(long nowNanos) {
        Item<T> first = items.peek();
        if (first == null || first.dueNanos() - nowNanos > 0) {
            return null;
        }
        items.remove();
        return first.what();
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    /** Until the next item is due; 0 if it is. Only where there is one. */
    long nanosToNext(long nowNanos) {
        Item<T> first = items.element();
        return Math.max(0, first.dueNanos() - nowNanos);
    }
}
