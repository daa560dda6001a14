package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import reactor.core.publisher.Mono;

/**
 * One replica as a coordinator sees it. Each call is answered by exactly one reply; what goes wrong is a reply as well, never an
 * error signal. Any thread may call it; nothing blocks the caller.
 */
public interface Replica {
    /** The id of the member that this is a replica on. */
    String member();

    /**
     * Takes a fresh write: a cell that its coordinator has just stamped for a client. Its version must be above all that the replica has acknowledged of the key, else
     * the answer is {@link WriteReply.Below}, unless it is this very cell. Cancelling the answer does not take the write back.
     *
     * @param epoch of the topology by which the replica was chosen; where it goes by another itself it refuses
     */
    Mono<WriteReply> write(Key key, Cell cell, long epoch);

    /**
     * Takes a cell that others may have already, from a hint, a repair or a read: stores it unless the replica has a newer one. Cancelling the answer does not take it
     * back.
     *
     * @param epoch as of a write
     */
    Mono<WriteReply> bring(Key key, Cell cell, long epoch);

    /**
     * The newest cell that the replica has. Cancelling spares the replica the work where it has not begun, if the way to it can tell.
     *
     * @param epoch as of a write
     * @param waitNanos how long its caller waits at most, at least 1: who has not answered by then is spared the work where the way to it can tell, and fails as timed out. The time for a connection, and
     *     for a second attempt, may come on top.
     */
    Mono<ReadReply> read(Key key, long epoch, long waitNanos);

    /** The same for a caller who waits as long as the way to the replica lets it. */
    default Mono<ReadReply> read(Key key, long epoch) {
        return read(key, epoch, Long.MAX_VALUE);
    }
}
