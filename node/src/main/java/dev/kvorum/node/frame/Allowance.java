package dev.kvorum.node.frame;

/** Memory for bodies that the node as a whole can spare. Any thread; nothing waits. */
public interface Allowance {
    /** Takes so many bytes; false if there are not so many left, and then none are taken. */
    boolean take(long bytes);

    /** Gives back what was taken. */
    void giveBack(long bytes);
}
