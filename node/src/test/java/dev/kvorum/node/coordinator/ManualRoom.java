package dev.kvorum.node.coordinator;

import java.util.concurrent.atomic.AtomicLong;

/** Room without end, until the test closes it. */
final class ManualRoom implements Room {
    final AtomicLong taken = new AtomicLong();
    volatile boolean isFull;
    volatile Runnable whenTaken = () -> {};

    @Override
    public boolean take(long bytes) {
        if (isFull) {
            return false;
        }
        taken.addAndGet(bytes);
        whenTaken.run();
        return true;
    }

    @Override
    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }
}
