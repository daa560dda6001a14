package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import reactor.core.publisher.Mono;

/** The replica on this node, for work that stores many cells: they share the way to the disk. */
public interface OwnReplica extends Replica {
    /** As {@link #bring}, but only as durable as the settings say: {@link #synced} follows when all that belongs together is stored. */
    Mono<WriteReply> store(Key key, Cell cell, long epoch);

    /** Brings to the disk all that was stored before. */
    Mono<WriteReply> synced();
}
