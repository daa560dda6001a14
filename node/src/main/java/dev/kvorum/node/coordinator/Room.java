package dev.kvorum.node.coordinator;

/** Memory for the values that undecided reads hold. Any thread; nothing waits. */
public interface Room {
    /** Takes so many bytes; false if there are not so many left, and then none are taken. */
    boolean take(long bytes);

    /** Gives back what was taken. */
    void giveBack(long bytes);
}
