package dev.kvorum.node.boot;

import dev.kvorum.node.deadline.Deadlines;
import java.util.concurrent.locks.LockSupport;

/** The thread that sweeps a node's deadlines: it sleeps until the next one is due, and on an idle node altogether. */
final class DeadlineThread implements AutoCloseable {
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
        while (!closed) {
            long wait = deadlines.sweep();
            if (wait == Deadlines.NEVER) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, wait);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        wake();
    }
}
