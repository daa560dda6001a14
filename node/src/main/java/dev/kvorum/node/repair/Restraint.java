package dev.kvorum.node.repair;

import java.util.concurrent.TimeUnit;

/**
 * How long this node rests for what it reads to repair or to move data, so that clients keep the processors: longer and longer while more of them is in use than
 * that work may bring about, shorter again otherwise; on busy processors it is as long as it gets after a second of such work. It reads before every step of such work, here and for whoever asks for it, so that it is held back as a whole. Whoever makes
 * the processors busy, it never stops: {@link #LONGEST_NANOS} is the end of it.
 *
 * <p>{@link #sample} is called by one thread, some ten times a second; {@link #askNanosPerKib} and {@link #nanosPerKib} by any.
 */
public final class Restraint {
    /** Then a hundred empty partitions are read in a second, or some 2 MiB. */
    static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    static final long FIRST_NANOS = TimeUnit.MICROSECONDS.toNanos(25);
    private static final long NEGLIGIBLE_NANOS = FIRST_NANOS / 10;

    /** It grows much faster than it shrinks: one moment of five that is too busy holds it where it is. */
    private static final double GROWTH = 1.5;

    private static final double DECAY = 0.9;

    private final double loadMax;
    private final Runnable wanted;
    private volatile long nanos;
    private volatile boolean asked;

    /**
     * @param loadMax the share of the processors in use from which on it grows, 0 to 1; from 1 on it never does
     * @param wanted is called when the load is needed and was not before: {@link #needsLoad}; must not block
     */
    public Restraint(double loadMax, Runnable wanted) {
        this.loadMax = loadMax;
        this.wanted = wanted;
    }

    /**
     * Looks at the load.
     *
     * @param load the share of the processors in use, 0 to 1; below 0 or not a number where that is not known
     */
    public void sample(double load) {
        asked = false;
        long before = nanos;
        if (load > loadMax) {
            nanos = Math.clamp((long) (before * GROWTH), FIRST_NANOS, LONGEST_NANOS);
        } else if (load >= 0) {
            long shorter = (long) (before * DECAY);
            nanos = shorter < NEGLIGIBLE_NANOS ? 0 : shorter;
        }
    }

    /** The rest for each KiB, in nanoseconds; 0 for none. Whoever is about to read asks: from now on the load is looked at. */
    public long askNanosPerKib() {
        if (!asked) {
            asked = true;
            wanted.run();
        }
        return nanos;
    }

    /** The same, for whoever only looks. */
    public long nanosPerKib() {
        return nanos;
    }

    /** Whether the load is of any use: somebody has asked since it was looked at last, or there is a rest that is to become shorter. Any thread. */
    public boolean needsLoad() {
        return loadMax < 1 && (asked || nanos > 0);
    }
}
