package dev.kvorum.node.http;

import java.util.concurrent.TimeUnit;

/**
 * A body that arrives in parts, or an answer that its client takes in parts. Each byte that moves earns it time by the minimum rate, but no more than a second
 * ahead; a transfer that has no time left is slow. Guarded by its {@link BodyTransfers}.
 */
final class BodyTransfer {
    private static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Object address;
    private final Runnable end;
    private long dueNanos;
    private long held;

    /**
     * @param address of the client
     * @param end gives the client up, and the bytes back, now or soon. Any thread; does nothing if the transfer has ended.
     */
    BodyTransfer(Object address, Runnable end) {
        this.address = address;
        this.end = end;
    }

    Object address() {
        return address;
    }

    /** Bytes of the budget that it holds. */
    long held() {
        return held;
    }

    void begin(long now) {
        dueNanos = now + AHEAD_NANOS;
    }

    void hold(long bytes) {
        held += bytes;
    }

    /** So many bytes have moved. */
    void move(long bytes, long bytesPerSecondMin, long now) {
        long earned = bytes * AHEAD_NANOS / bytesPerSecondMin;
        long from = now - dueNanos > 0 ? now : dueNanos;
        dueNanos = Math.min(earned, now + AHEAD_NANOS - from) + from;
    }

    /** Nanoseconds for which it has been slow; 0 or less if it is not. */
    long overdue(long now) {
        return now - dueNanos;
    }

    void end() {
        end.run();
    }
}
