package dev.kvorum.node.storage.rocks;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of the writes that wait for a commit. Their clients may have gone, or have been answered by other replicas: then nobody else counts what they hold. Any thread;
 * nothing waits.
 */
final class WaitingBytes {
    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();

    WaitingBytes(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** From 0 to 1, and above where one that is alone is longer. */
    double share() {
        return (double) bytes.get() / bytesMax;
    }

    long get() {
        return bytes.get();
    }

    /** Counts a write, unless it is one too many; one that is alone may be as long as it likes. */
    boolean add(int length) {
        long all = bytes.addAndGet(length);
        if (all > bytesMax && all > length) {
            bytes.addAndGet(-length);
            return false;
        }
        return true;
    }

    void remove(long length) {
        bytes.addAndGet(-length);
    }
}
