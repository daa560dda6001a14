package dev.kvorum.node.frame;

import java.util.concurrent.atomic.AtomicLong;

/** An allowance of so many bytes that tells how many are taken. */
final class CountedAllowance implements Allowance {
    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    CountedAllowance(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Override
    public boolean take(long bytes) {
        if (taken.addAndGet(bytes) > bytesMax) {
            taken.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    @Override
    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
