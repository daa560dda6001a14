package dev.kvorum.node.boot;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.thread.TimeSlice;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that sweeps a node's deadlines: it sleeps until the next one is due, and on an idle node altogether. What is due must not block it. */
final class DeadlineThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineThread.class);
    private static final long AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Deadlines deadlines = new Deadlines(System::nanoTime, this::wake);
    private final Thread thread =
            Thread.ofPlatform().name("kvorum-deadlines").daemon().unstarted(this::run);
    private volatile boolean closed;

    void start() {
        thread.start();
    }

    Deadlines deadlines() {
        return deadlines;
    }

    private void wake() {
        LockSupport.unpark(thread);
    }

    private void run() {
        TimeSlice.shorten(); // It sends hedges, and ends what clients have waited for long enough.
        while (!closed) {
            rest(sweep());
        }
    }

    private void rest(long nanos) {
        if (nanos == Deadlines.NEVER) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
    }

    /** It goes on whatever happens: without it no request would ever time out. */
    private long sweep() {
        try {
            return deadlines.sweep();
        } catch (RuntimeException | Error e) {
            LOG.error("The sweep of the deadlines ended in an error that nobody expected", e);
            return AFTER_ERROR_NANOS;
        }
    }

    @Override
    public void close() {
        closed = true;
        wake();
    }
}
