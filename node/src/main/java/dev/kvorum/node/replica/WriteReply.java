package dev.kvorum.node.replica;

/** What a replica answers to a write. */
public sealed interface WriteReply permits WriteReply.Stored, ReplicaFailure {
    /** Who answered. */
    String member();

    /** The replica has this cell or a newer one. */
    record Stored(String member) implements WriteReply {}
}
