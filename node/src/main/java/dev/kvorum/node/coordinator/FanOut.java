package dev.kvorum.node.coordinator;

/** How many replicas a read asks at once. Any thread, for each read: must cost next to nothing. */
@FunctionalInterface
public interface FanOut {
    /** Asks all. */
    FanOut ALL = () -> true;

    /** Asks as many as must answer, and another when one is late or fails. */
    FanOut HEDGED = () -> false;

    /** Whether the next read asks all its replicas; else it asks as many as must answer. */
    boolean asksAll();
}
