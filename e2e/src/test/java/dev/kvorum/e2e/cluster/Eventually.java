package dev.kvorum.e2e.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what comes to be true: it is looked at again and again, until it is or a time is over. Nothing outside tells when it changes. */
public final class Eventually {
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(50);

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
            untilNextLook();
        }
    }

    private static void untilNextLook() {
        try {
            Thread.sleep(LOOK_INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
