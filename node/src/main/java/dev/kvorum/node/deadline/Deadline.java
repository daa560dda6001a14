package dev.kvorum.node.deadline;

import org.jspecify.annotations.Nullable;

/**
 * Something that is to be done at a time unless it is stopped before. It is its own node in the list it waits in, so that neither starting
 * nor stopping it makes garbage.
 *
 * <p>Who starts, moves and stops one does so from one thread at a time; {@link #expired} may run beside that.
 */
public abstract class Deadline {
    long due;

    @Nullable
    Slot slot; // Where it waits, else null. Written under the lock of that slot.

    @Nullable
    Deadline before;

    @Nullable
    Deadline after;

    /**
     * Called once after its time, by the thread that sweeps. It may just have been stopped or moved by another thread: what is done here has to
     * look whether it is still wanted.
     *
     * @param now the time of {@link Deadlines#now}
     */
    protected abstract void expired(long now);
}
