package dev.kvorum.node.coordinator;

import dev.kvorum.node.replica.ReadReply;

/** Memory for the values that undecided reads hold. Any thread; nothing waits. */
public interface Room {
    /** Cells shorter than that are not counted: the limit on operations bounds them. */
    int COUNTED_MIN = 4096;

    /** The bytes of a reply that count: those of its cell, unless that is short. */
    static long bytesOf(ReadReply reply) {
        return reply instanceof ReadReply.Found found && found.cell().bytes().length >= COUNTED_MIN
                ? found.cell().bytes().length
                : 0;
    }

    /** Takes so many bytes; false if there are not so many left, and then none are taken. */
    boolean take(long bytes);

    /** Gives back what was taken. */
    void giveBack(long bytes);
}
