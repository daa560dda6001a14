package dev.kvorum.node.replica;

import java.util.concurrent.TimeUnit;

/**
 * How long a replica has lately taken to answer a read: a moving average, by which replicas are compared, and a 99th percentile, at which a
 * read stops waiting for one alone. Any thread; of two that record at the same instant one may be lost.
 *
 * <p>Who was not waited for to the end has told less than an answer, but not nothing: that it takes at least so long. It counts where that
 * is more than was believed.
 */
final class AnswerTime {
    /** Time in which the average forgets two thirds, while answers keep coming. */
    private static final double MEMORY = TimeUnit.MILLISECONDS.toNanos(100);

    /** A new answer counts for at least so much: else a burst would count for nothing. */
    private static final double SHARE_MIN = 1.0 / 64;

    /** Time in which the average halves where nothing is recorded: one that was slow and is not asked for it gets another chance. */
    private static final long HALF_LIFE = TimeUnit.SECONDS.toNanos(2);

    private final RecentQuantile quantile = new RecentQuantile();
    private volatile double average;
    private volatile long recordedAt;

    /**
     * An answer.
     *
     * @param now nanoseconds from any origin at or above 0
     */
    void record(long now, long nanos) {
        quantile.record(now, nanos);
        adjust(now, nanos);
    }

    /** No answer for so long, and nobody waits any more. */
    void recordAtLeast(long now, long nanos) {
        if (nanos >= quantile.get(now)) {
            quantile.record(now, nanos);
        }
        if (nanos > average(now)) {
            adjust(now, nanos);
        }
    }

    /** An answer of no use, that took less time than one of use would: it makes the replica less attractive, not its reads slower. */
    void penalize(long now, long nanos) {
        if (nanos > average(now)) {
            adjust(now, nanos);
        }
    }

    private void adjust(long now, long nanos) {
        double gap = Math.max(0, now - recordedAt);
        double share = Math.max(SHARE_MIN, gap / (MEMORY + gap));
        double former = average(now);
        recordedAt = now;
        average = former == 0 ? nanos : former + share * (nanos - former);
    }

    /** Nanoseconds; 0 where nothing is known. */
    double average(long now) {
        long halvings = Math.max(0, now - recordedAt) / HALF_LIFE;
        return Math.scalb(average, (int) -Math.min(halvings, Byte.MAX_VALUE));
    }

    /** Whether anything was recorded since the average has last been halved. */
    boolean isRecent(long now) {
        return average > 0 && now - recordedAt < HALF_LIFE;
    }

    /** Nanoseconds; 0 where nothing is known. */
    long p99(long now) {
        return quantile.get(now);
    }
}
