package dev.kvorum.load.generate;

/** How a request ended. */
public enum Outcome {
    /** With the answer that was wanted. */
    DONE,
    /** With {@code 503}: the node said at once that it has too much to do. */
    REFUSED,
    /** With another status. */
    FAILED,
    /** The connection was lost or could not be had. */
    LOST,
    /** No answer in time. */
    TIMED_OUT
}
