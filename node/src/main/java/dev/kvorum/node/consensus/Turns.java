package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Key;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Lets the writes of one key that come through this node have their rounds one after the other: at the same time they would outbid each other, each more often than it
 * succeeds. At most {@value #WAITING_MAX} of a key wait; one more is told so at once. One that is given up while it waits leaves the line and lets nobody
 * pass. Nothing depends on it but speed: others write the key through other nodes. Any thread.
 */
final class Turns {
    /** More would not have their turn within a usual deadline: a turn takes three round trips and three syncs. */
    static final int WAITING_MAX = 128;

    private final Map<Key, Line> lines = new HashMap<>(); // Guarded by this.

    /** Who is at work on a key, and who waits for it. */
    private static final class Line {
        private final Deque<Turn> waiting = new ArrayDeque<>(1);
        private final AtomicInteger ended = new AtomicInteger();
    }

    /**
     * The work, when that which came before it under the same key has ended. Subscribe once.
     *
     * @param crowded the answer where too many wait
     */
    <T> Mono<T> take(Key key, Supplier<Mono<T>> work, Supplier<T> crowded) {
        return Mono.defer(() -> {
            Turn turn = new Turn(key);
            return Mono.<Boolean>create(turn::await)
                    .flatMap(granted -> granted ? work.get() : Mono.fromSupplier(crowded))
                    .doFinally(end -> turn.end());
        });
    }

    /** How many keys have one under way. */
    synchronized int keys() {
        return lines.size();
    }

    /** How many wait for their turn. */
    synchronized int waiting() {
        return lines.values().stream().mapToInt(line -> line.waiting.size()).sum();
    }

    private final class Turn {
        private final Key key;
        private @Nullable Line line; // Where it waits or is at work; guarded by the lock.
        private @Nullable MonoSink<Boolean> sink;

        Turn(Key key) {
            this.key = key;
        }

        void await(MonoSink<Boolean> told) {
            sink = told;
            Boolean granted = join();
            if (granted != null) {
                told.success(granted);
            }
        }

        /** Null if it has to wait. */
        private @Nullable Boolean join() {
            synchronized (Turns.this) {
                Line there = lines.get(key);
                if (there == null) {
                    line = new Line();
                    lines.put(key, line);
                    return true;
                }
                if (there.waiting.size() >= WAITING_MAX) {
                    return false;
                }
                line = there;
                there.waiting.add(this);
                return null;
            }
        }

        /** It has ended, or was given up. */
        void end() {
            Line left = leave();
            // One at a time lets the next begin, and whoever ends meanwhile, as at once, leaves it to that one: so a
            // line of any length ends without recursion.
            if (left == null || left.ended.getAndIncrement() != 0) {
                return;
            }
            do {
                MonoSink<Boolean> next = next(left);
                if (next != null) {
                    next.success(true);
                }
            } while (left.ended.decrementAndGet() != 0);
        }

        /** The line that it was at work in; null if it only waited. */
        private @Nullable Line leave() {
            synchronized (Turns.this) {
                Line left = line;
                line = null;
                return left != null && left.waiting.remove(this) ? null : left;
            }
        }

        private @Nullable MonoSink<Boolean> next(Line left) {
            synchronized (Turns.this) {
                Turn first = left.waiting.poll();
                if (first == null) {
                    lines.remove(key, left);
                    return null;
                }
                return first.sink;
            }
        }
    }
}
