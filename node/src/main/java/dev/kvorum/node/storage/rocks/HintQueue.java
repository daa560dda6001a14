package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.HintBacklog;
import java.nio.ByteBuffer;

/**
 * The account of one member's hints. It is committed with every change of them, as a note of four numbers, so that it needs no counting
 * after a restart.
 *
 * @param hints how many there are
 * @param bytes what they count
 * @param head no hint has a sequence number below
 * @param next the number of the next one; never given twice
 * @param oldestMillis when the first was written, in milliseconds since 1970; known where there is one
 */
record HintQueue(long hints, long bytes, long head, long next, long oldestMillis) {
    static final HintQueue EMPTY = new HintQueue(0, 0, 0, 0, 0);
    private static final int NOTE_BYTES = 4 * Long.BYTES;

    boolean isEmpty() {
        return hints == 0;
    }

    /** With one more at its end. */
    HintQueue plus(int size, long millis) {
        return isEmpty()
                ? new HintQueue(1, size, next, next + 1, millis)
                : new HintQueue(hints + 1, bytes + size, head, next + 1, oldestMillis);
    }

    /** Without one of them. */
    HintQueue minus(int size) {
        return hints == 1
                ? new HintQueue(0, 0, next, next, 0)
                : new HintQueue(hints - 1, bytes - size, head, next, oldestMillis);
    }

    /** With its first hint there. */
    HintQueue headedBy(long sequence, long millis) {
        return new HintQueue(hints, bytes, sequence, next, millis);
    }

    HintBacklog backlog() {
        return new HintBacklog(hints, bytes, oldestMillis);
    }

    byte[] note() {
        return ByteBuffer.allocate(NOTE_BYTES)
                .putLong(hints)
                .putLong(bytes)
                .putLong(head)
                .putLong(next)
                .array();
    }

    /** The queue of that note; when its first hint was written is not in it. */
    static HintQueue ofNote(byte[] note) {
        ByteBuffer numbers = ByteBuffer.wrap(note);
        return new HintQueue(numbers.getLong(), numbers.getLong(), numbers.getLong(), numbers.getLong(), 0);
    }
}
