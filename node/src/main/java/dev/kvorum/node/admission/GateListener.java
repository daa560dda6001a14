package dev.kvorum.node.admission;

/** Is told what happens at a {@link Gate}, on the loop of that. */
interface GateListener {
    /**
     * Nobody has waited for a while, and there is room.
     *
     * @param more how many of those who were refused may come again
     * @return whether there are others
     */
    boolean room(int more);

    /** The turn of an operation has come that had to wait. */
    void waited(long nanos);

    /** The turn of an operation did not come, and it is refused. */
    void waitedInVain(long nanos);
}
