package dev.kvorum.node.transfer;

import java.util.concurrent.TimeUnit;

/** How many bytes were moved per second of late: half of what it tells is younger than some seconds. Not for several threads. */
final class MovedBytes {
    private static final double HALF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    private double weight;
    private long at;

    void moved(long bytes, long now) {
        decay(now);
        weight += bytes;
    }

    /** Bytes per second. */
    long rate(long now) {
        decay(now);
        return (long) (weight * Math.log(2) / HALF_LIFE_NANOS * SECOND);
    }

    private void decay(long now) {
        weight *= Math.pow(0.5, (now - at) / HALF_LIFE_NANOS);
        at = now;
    }
}
