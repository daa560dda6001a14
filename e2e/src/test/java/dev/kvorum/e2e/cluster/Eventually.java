package dev.kvorum.e2e.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what comes to be true. */
public final class Eventually {
    private static final long PAUSE_MS = 50;

    private Eventually() {}

    /** Blocks until it is true. */
    public static void await(String what, Duration atMost, BooleanSupplier condition) {
        await(() -> what, atMost, condition);
    }

    /**
     * Blocks until it is true.
     *
     * @param what was waited for, asked when it did not come
     */
    public static void await(Supplier<String> what, Duration atMost, BooleanSupplier condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not within " + atMost.toMillis() + " ms: " + what.get());
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
