package dev.kvorum.node.cluster;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, and no longer. */
public final class Eventually {
    /** Times as long on a machine that has too much to do. */
    private static final int FACTOR = Integer.getInteger("kvorum.test.patience", 1);

    private static final Duration PATIENCE = Duration.ofSeconds(45); // Less than any test may take.
    private static final Duration STEP = Duration.ofMillis(20);

    private Eventually() {}

    public static void eventually(String claim, BooleanSupplier condition) {
        eventually(claim, PATIENCE, condition);
    }

    /** The same for what takes longer. */
    public static void eventually(String claim, Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + FACTOR * patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("Not within " + FACTOR * patience.toSeconds() + " s: " + claim);
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }
}
