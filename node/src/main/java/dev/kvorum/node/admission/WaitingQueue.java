package dev.kvorum.node.admission;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** The operations that wait for their turn, in the order of their arrival. Confined to one thread. */
final class WaitingQueue {
    private final Queue<Waiting> queue = new ArrayDeque<>();
    private int waiting; // Of the queue, those that have not left.

    int size() {
        return waiting;
    }

    boolean isEmpty() {
        return waiting == 0;
    }

    /** @param turn gets true when the turn of the operation comes */
    Waiting add(MonoSink<Boolean> turn, long now) {
        Waiting last = new Waiting(turn, now);
        queue.add(last);
        waiting++;
        return last;
    }

    /** The operation that waits first, if any does. Those before it whose clients have gone leave the queue. */
    @Nullable
    Waiting first() {
        Waiting first = queue.peek();
        while (first != null && first.turn == null) {
            queue.remove();
            first = queue.peek();
        }
        return first;
    }

    /** Ends the wait of an operation, and tells it, if it still waits. */
    void leave(Waiting one, Consumer<MonoSink<Boolean>> told) {
        MonoSink<Boolean> turn = one.turn;
        if (turn != null) {
            one.turn = null;
            waiting--;
            told.accept(turn);
        }
    }

    /** An operation in the queue. One whose client has gone stays there, but holds nothing: to search for it costs more. */
    static final class Waiting {
        private final long since;
        private @Nullable MonoSink<Boolean> turn; // Null when it has left.

        private Waiting(MonoSink<Boolean> turn, long since) {
            this.turn = turn;
            this.since = since;
        }

        long since() {
            return since;
        }
    }
}
