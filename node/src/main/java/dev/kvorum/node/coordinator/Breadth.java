package dev.kvorum.node.coordinator;

/** How many of its replicas a read asks at once. */
public enum Breadth {
    /** All that can be counted on. */
    ALL,
    /** Those of them that usually answer before another would be asked in place of those needed: later they would only be in the way. */
    PROMPT,
    /** As many as must answer. */
    NEEDED
}
