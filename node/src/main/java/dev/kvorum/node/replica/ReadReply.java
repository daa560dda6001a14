package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;

/** What a replica answers to a read. */
public sealed interface ReadReply permits ReadReply.Found, ReadReply.Absent, ReplicaFailure {
    /** Who answered. */
    String member();

    /** The newest cell the replica has; it may be a tombstone. */
    record Found(String member, Cell cell) implements ReadReply {}

    /** The replica knows nothing of the key. */
    record Absent(String member) implements ReadReply {}
}
