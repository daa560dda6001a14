package dev.kvorum.node.storage.rocks;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, once, when one kind of operation begins to fail and when it works again: not once per operation. Any thread. */
final class DiskFailure {
    private static final Logger LOG = LoggerFactory.getLogger(DiskFailure.class);

    private final String operation;
    private final AtomicBoolean failing = new AtomicBoolean();
    private final AtomicReference<@Nullable RocksDBException> damage = new AtomicReference<>();

    /** @param operation for the log, as the beginning of a sentence */
    DiskFailure(String operation) {
        this.operation = operation;
    }

    boolean isSo() {
        return failing.get();
    }

    /** The first failure that told of damage; null if none did, or it was forgotten. That others succeed does not mend it. */
    @Nullable
    RocksDBException damage() {
        return damage.get();
    }

    /** What that failure told of is not damaged. */
    void forget(RocksDBException told) {
        boolean _ =
                damage.compareAndSet(told, null); // Others that came between are told of again by the next that fails.
    }

    /** Whether a failure tells of damage, and not of a disk that can't be read or written now. */
    static boolean isDamage(RocksDBException e) {
        return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption;
    }

    /** Whether a file that should be there is not. */
    static boolean isMissingFile(RocksDBException e) {
        return String.valueOf(e.getMessage()).contains("No such file or directory");
    }

    void saw(Throwable e) {
        if (e instanceof RocksDBException rocks && isDamage(rocks)) {
            boolean _ = damage.compareAndSet(null, rocks);
        }
        if (failing.compareAndSet(false, true)) {
            LOG.error("{} failed; until one succeeds again, no more is logged of it", operation, e);
        }
    }

    void sawNone() {
        if (failing.get() && failing.compareAndSet(true, false)) {
            LOG.info("{} succeeded again", operation);
        }
    }
}
