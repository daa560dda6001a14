package dev.kvorum.node.coordinator;

/** How many replicas a read asks at once. Any thread, for each read: must cost next to nothing. */
@FunctionalInterface
public interface FanOut {
    /** Asks all. */
    FanOut ALL = () -> Breadth.ALL;

    /** Asks as many as must answer, and another when one is late or fails. */
    FanOut HEDGED = () -> Breadth.NEEDED;

    /** How many replicas the next read asks at once. */
    Breadth breadth();
}
