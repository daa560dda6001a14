package dev.kvorum.operator.api;

/** When a write is acknowledged. Named as the node's own setting. */
public enum Durability {
    /** When it is with the operating system. */
    async,
    /** When it is on the disk. */
    fsync
}
