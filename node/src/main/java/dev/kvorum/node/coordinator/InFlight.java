package dev.kvorum.node.coordinator;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the writes that not all replicas have answered yet, so that a node that stops can wait for them; one in linearizable mode once more while replicas are
 * asked to take what was chosen, which its client hears of earlier. Any thread.
 */
public final class InFlight {
    private final AtomicInteger writes = new AtomicInteger();
    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile boolean closing;

    /** A write begins. */
    public void begin() {
        writes.incrementAndGet();
    }

    /** One has ended: once for each that has begun. */
    public void end() {
        if (writes.decrementAndGet() == 0 && closing) {
            drained.countDown();
        }
    }

    public int writes() {
        return writes.get();
    }

    /**
     * Waits until none is left. Blocks; called once, after the last write has begun.
     *
     * @return false if some were left at the end of that time
     */
    public boolean awaitNone(Duration atMost) throws InterruptedException {
        closing = true;
        return writes.get() == 0 || drained.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }
}
