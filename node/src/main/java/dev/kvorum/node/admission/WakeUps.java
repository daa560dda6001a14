package dev.kvorum.node.admission;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Calls refused clients back when there is room again. Not at every instant at which nobody waits: many who are answered ask again, and have the first claim to the room that they leave.
 *
 * <p>Confined to the thread of its loop.
 */
final class WakeUps {
    /** After nobody has waited for so long, in milliseconds, there is room for those who were refused. */
    static final int ROOM_MILLIS = 10;

    private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(ROOM_MILLIS);
    private static final int ROOM_PARTS = 16;

    private final Limiter limiter;
    private final LongSupplier nanoTime;
    private final GateListener listener;
    private boolean pressed; // Somebody has waited, and may have been refused.
    private long lastWait;
    private long lastDoubling;
    private int told; // How many of those who rest are told of room at least.

    WakeUps(Limiter limiter, LongSupplier nanoTime, GateListener listener) {
        this.limiter = limiter;
        this.nanoTime = nanoTime;
        this.listener = listener;
    }

    /** Somebody waits, has until now, or was refused. */
    void press(long now) {
        pressed = true;
        lastWait = now;
        told = 0;
    }

    /** An operation has ended, and nobody waits. */
    void ended() {
        if (pressed) {
            tellOfRoom();
        }
    }

    /**
     * Each time that nobody has waited for that long again, twice as many are told. Those that were told before seem to have nothing to ask for. The next request may come by any
     * connection that rests.
     */
    private void tellOfRoom() {
        long now = nanoTime.getAsLong();
        if (now - lastWait < ROOM_NANOS || !limiter.hasRoom()) {
            return;
        }
        if (now - lastDoubling >= ROOM_NANOS) {
            lastDoubling = now;
            told = Math.min(Gate.TURN_MAX, Math.max(1, 2 * told));
        }
        pressed = listener.room(Math.max(told, limiter.room() / ROOM_PARTS));
    }
}
