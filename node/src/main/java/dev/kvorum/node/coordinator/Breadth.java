package dev.kvorum.node.coordinator;

/** How many of its replicas a read asks at once. */
public enum Breadth {
    /** All that can be counted on. */
    ALL,
    /** Those of them that usually answer before a hedge would be sent: one that is slower is asked only as a hedge. */
    PROMPT,
    /** As many as must answer. */
    NEEDED
}
