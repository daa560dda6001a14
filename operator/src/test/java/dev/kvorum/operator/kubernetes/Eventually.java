package dev.kvorum.operator.kubernetes;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what other processes are to bring about. */
final class Eventually {
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(180);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Eventually() {}

    static void holds(String claim, BooleanSupplier condition) {
        holds(claim, condition, () -> "");
    }

    /** @param otherwise what there is instead */
    static void holds(String claim, BooleanSupplier condition, Supplier<String> otherwise) {
        long deadline = System.nanoTime() + WAIT_NANOS_MAX;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("It does not come to be that " + claim + ": " + otherwise.get());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
