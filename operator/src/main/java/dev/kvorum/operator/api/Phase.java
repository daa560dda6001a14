package dev.kvorum.operator.api;

/** The state of a cluster in one word, for people. */
public enum Phase {
    /** Its first nodes are starting. */
    Creating,
    /** It is as the spec asks. */
    Running,
    /** Its members are changing. */
    Scaling,
    /** Pods are being replaced, or volumes expanded, one at a time. */
    Updating,
    /** Something is missing or stuck. */
    Degraded,
    /** The spec can't be followed. */
    Invalid,
    /** It is left alone, as {@code spec.paused} asks. */
    Paused
}
