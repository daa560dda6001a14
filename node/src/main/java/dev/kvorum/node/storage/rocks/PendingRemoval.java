package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.StoreOverloadedException;
import java.util.Arrays;
import java.util.function.Predicate;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A key to be removed if it has a certain cell. RocksDB's deletions are blind; this one is carried out by the writer alone, between two commits,
 * so that no write comes between looking and deleting.
 */
final class PendingRemoval implements Commitment {
    private final byte[] key;
    private final byte[] expected;
    private final MonoSink<Boolean> sink;

    PendingRemoval(byte[] key, byte[] expected, MonoSink<Boolean> sink) {
        this.key = key;
        this.expected = expected;
        this.sink = sink;
    }

    /**
     * Has it carried out when it is subscribed to. Tells whether the key had that cell.
     *
     * @param writer queues for the thread that commits; false if it is full
     */
    static Mono<Boolean> by(Predicate<Commitment> writer, byte[] key, byte[] expected) {
        return Mono.create(sink -> {
            if (!writer.test(new PendingRemoval(key, expected, sink))) {
                sink.error(new StoreOverloadedException());
            }
        });
    }

    /** On the writer's thread, after what was queued before it is committed. */
    boolean carryOut(RocksDatabase database, WriteOptions options) throws RocksDBException {
        if (!Arrays.equals(database.read(key), expected)) {
            return false;
        }
        database.db().delete(database.cells(), options, key);
        return true;
    }

    @Override
    public MonoSink<Boolean> sink() {
        return sink;
    }
}
