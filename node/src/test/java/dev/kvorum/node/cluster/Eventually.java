package dev.kvorum.node.cluster;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, and no longer. */
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(20);

    private Eventually() {}

    public static void eventually(String claim, BooleanSupplier condition) {
        eventually(claim, PATIENCE, condition);
    }

    /** The same for what takes longer. */
    public static void eventually(String claim, Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("Not within " + patience.toSeconds() + " s: " + claim);
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }
}
