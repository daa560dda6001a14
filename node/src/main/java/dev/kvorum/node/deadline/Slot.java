package dev.kvorum.node.deadline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The deadlines of one tick of the wheel, of any round. Its lock is held for a few instructions. Any thread. */
final class Slot {
    private @Nullable Deadline first;
    private volatile int waiting;

    /** Whether it looks empty, without taking the lock. */
    boolean isEmpty() {
        return waiting == 0;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Written under the lock, read without.
    synchronized void add(Deadline deadline, long due) {
        deadline.due = due;
        deadline.slot = this;
        deadline.before = null;
        deadline.after = first;
        if (first != null) {
            first.before = deadline;
        }
        first = deadline;
        waiting++;
    }

    /** Takes it out, if it is still in. */
    synchronized void remove(Deadline deadline) {
        if (deadline.slot == this) {
            unlink(deadline);
        }
    }

    /** Takes out those that are due. */
    List<Deadline> takeDue(long now) {
        if (isEmpty()) {
            return List.of();
        }
        List<Deadline> due = new ArrayList<>(4);
        synchronized (this) {
            Deadline next = first;
            while (next != null) {
                Deadline here = next;
                next = here.after;
                if (here.due <= now) {
                    unlink(here);
                    due.add(here);
                }
            }
        }
        return due;
    }

    /** Whether one of them is due before that time. */
    synchronized boolean hasDueBefore(long time) {
        for (Deadline here = first; here != null; here = here.after) {
            if (here.due < time) {
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void unlink(Deadline deadline) {
        Deadline before = deadline.before;
        Deadline after = deadline.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after != null) {
            after.before = before;
        }
        deadline.slot = null;
        deadline.before = null;
        deadline.after = null;
        waiting--;
    }
}
