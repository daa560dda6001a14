package dev.kvorum.node.storage;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, once, when the disk begins to fail and when it works again: not once per operation. Any thread. */
final class DiskFailure {
    private static final Logger LOG = LoggerFactory.getLogger(DiskFailure.class);

    private final AtomicBoolean failing = new AtomicBoolean();

    boolean isSo() {
        return failing.get();
    }

    void saw(String operation, Throwable e) {
        if (failing.compareAndSet(false, true)) {
            LOG.error("{} failed, and so may others until the disk works again; more is not logged", operation, e);
        }
    }

    /** A commit has succeeded. */
    void sawNone() {
        if (failing.get() && failing.compareAndSet(true, false)) {
            LOG.info("The disk works again");
        }
    }
}
