package dev.kvorum.node.coordinator;

import dev.kvorum.node.deadline.Deadline;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The calls of one request, which several threads share without a lock. Replies, the deadline and the listener's cancel come by any thread. Each leaves a mark and
 * calls {@link #drain()}. The first thread works until no mark is left, and the others go away: so one thread at a time works, and none waits.
 */
abstract class Draining extends Deadline {
    private static final AtomicIntegerFieldUpdater<Draining> MARKS =
            AtomicIntegerFieldUpdater.newUpdater(Draining.class, "marks");

    @SuppressWarnings("UnusedVariable") // MARKS reads it.
    private volatile int marks;

    final void drain() {
        if (MARKS.getAndIncrement(this) != 0) {
            return;
        }
        int seen = 1;
        do {
            seeMarks();
            seen = MARKS.addAndGet(this, -seen);
        } while (seen != 0);
    }

    /** Does all that the marks ask for. By one thread at a time. */
    abstract void seeMarks();
}
