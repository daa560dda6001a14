package dev.kvorum.node.storage;

import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;
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
