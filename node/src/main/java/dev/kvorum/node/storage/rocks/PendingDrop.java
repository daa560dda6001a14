package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.PartitionDrops.Permit;
import dev.kvorum.node.storage.StorageKey;
import java.util.function.BooleanSupplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;
import reactor.core.publisher.MonoSink;

/** A partition to be dropped, between two commits, unless one before has written to it. */
record PendingDrop(int partition, BooleanSupplier touched, Permit permit, MonoSink<Boolean> sink)
        implements Commitment {
    /** On the writer's thread, after what was queued before it is committed. */
    boolean carryOut(RocksDatabase database, WriteOptions options) {
        return !touched.getAsBoolean() && permit.given(() -> dropNow(database, options));
    }

    private boolean dropNow(RocksDatabase database, WriteOptions options) {
        try {
            database.drop(StorageKey.beginOf(partition), StorageKey.endOf(partition), options);
            return true;
        } catch (RocksDBException e) {
            throw new IllegalStateException("partition " + partition + " could not be dropped", e);
        }
    }
}
