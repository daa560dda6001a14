package dev.kvorum.node.replica;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The 99th percentile of what was recorded in the last {@value #WINDOW_SECONDS} to twice as many seconds: two windows take turns, and one is
 * emptied before it takes its turn again. While nothing is recorded it stays what it was, which is more than nothing.
 *
 * <p>Buckets are an eighth of a power of two wide, so that a value is known to 12 %. Any thread; recording makes no garbage and takes no
 * lock, and of two that record into one bucket at the same instant one may be lost: that moves no percentile.
 */
final class RecentQuantile {
    static final int WINDOW_SECONDS = 5;

    private static final double QUANTILE = 0.99;
    private static final long WINDOW = TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);
    private static final long REFRESH = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int UNIT_BITS = 10; // Times are counted in units of 1.024 us.
    private static final int STEP_BITS = 3;
    private static final int BUCKETS =
            168; // The last one ends at 2^23 units or 8.6 s, and holds what is above as well.

    private final AtomicIntegerArray[] windows = {new AtomicIntegerArray(BUCKETS), new AtomicIntegerArray(BUCKETS)};
    private final AtomicLong turn = new AtomicLong();
    private volatile long known;
    private volatile long knownAt = Long.MIN_VALUE / 2;

    /** @param now nanoseconds from any origin at or above 0 */
    void record(long now, long nanos) {
        long current = now / WINDOW;
        long present = turn.get();
        if (current > present && turn.compareAndSet(present, current)) {
            begin(current, present);
        }
        AtomicIntegerArray window = windows[(int) (current & 1)];
        int bucket = bucketOf(nanos);
        window.setOpaque(bucket, window.getOpaque(bucket) + 1);
    }

    private void begin(long current, long former) {
        clear(windows[(int) (current & 1)]);
        if (current > former + 1) {
            clear(windows[
                    (int) ((current + 1) & 1)]); // Nothing was recorded for so long that the other is too old as well.
        }
    }

    private static void clear(AtomicIntegerArray window) {
        for (int i = 0; i < BUCKETS; i++) {
            window.setOpaque(i, 0);
        }
    }

    /** The percentile in nanoseconds, rounded up to the end of its bucket; 0 where nothing is known. At most 50 ms old. */
    long get(long now) {
        if (now - knownAt > REFRESH) {
            knownAt = now;
            known = compute();
        }
        return known;
    }

    private long compute() {
        long total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            total += countOf(i);
        }
        long above = total - (long) Math.ceil(total * QUANTILE); // How many may be slower than it.
        for (int i = BUCKETS - 1; i >= 0 && total > 0; i--) {
            above -= countOf(i);
            if (above < 0) {
                return endOf(i);
            }
        }
        return 0;
    }

    private long countOf(int bucket) {
        return (long) windows[0].getOpaque(bucket) + windows[1].getOpaque(bucket);
    }

    private static int bucketOf(long nanos) {
        long units = Math.max(0, nanos) >>> UNIT_BITS;
        int power = Math.max(0, 63 - STEP_BITS - Long.numberOfLeadingZeros(units));
        int bucket = (power << STEP_BITS) + (int) (units >>> power);
        return Math.min(bucket, BUCKETS - 1);
    }

    private static long endOf(int bucket) {
        int power = Math.max(0, (bucket >>> STEP_BITS) - 1);
        long units = bucket - ((long) power << STEP_BITS) + 1;
        return units << power << UNIT_BITS;
    }
}
