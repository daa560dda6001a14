package dev.kvorum.node.coordinator;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many requests reads may send on top of what they need: a share of the reads, saved up to {@value #SAVED_MAX}. Where many replicas are
 * late at once, hedging must not add to what makes them late. Any thread.
 *
 * <p>Source: Dean and Barroso, "The tail at scale" (2013).
 */
final class HedgeBudget {
    static final int SAVED_MAX = 100;

    private static final long HEDGE = 100; // In hundredths, so that a percentage is what one read brings in.
    private static final long MAX = SAVED_MAX * HEDGE;

    private final int percent;
    private final AtomicLong hundredths = new AtomicLong();

    /** @param percent hedges per hundred reads, 0 to 100 */
    HedgeBudget(int percent) {
        this.percent = percent;
        this.hundredths.set(percent == 0 ? 0 : MAX);
    }

    /** A read begins. */
    void earn() {
        if (hundredths.get()
                < MAX) { // Full is the rule, and then nothing is written. Threads that race may pass the bound by as
            // many.
            hundredths.addAndGet(percent);
        }
    }

    /** Takes what a hedge costs, if it is there. */
    boolean spend() {
        long saved = hundredths.get();
        while (saved >= HEDGE) {
            if (hundredths.compareAndSet(saved, saved - HEDGE)) {
                return true;
            }
            saved = hundredths.get();
        }
        return false;
    }
}
