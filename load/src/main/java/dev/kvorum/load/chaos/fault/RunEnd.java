package dev.kvorum.load.chaos.fault;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The end of load and faults, which no fault outlasts. Any thread. */
public final class RunEnd {
    private final CountDownLatch over = new CountDownLatch(1);

    void come() {
        over.countDown();
    }

    /** Waits for that long, or until the run ends; whether it has ended. */
    boolean await(Duration max) throws InterruptedException {
        return over.await(max.toNanos(), TimeUnit.NANOSECONDS);
    }
}
