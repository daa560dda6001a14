package dev.kvorum.node.repair;

import dev.kvorum.node.deadline.Deadlines;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;

/**
 * Holds work to a rate: what was spent is paid off in time, and until then nothing more is begun. Where each turn costs a rest as well, they are given out one after the other. Any thread.
 */
final class Pace {
    private static final long TOLERANCE_NANOS =
            TimeUnit.MILLISECONDS.toNanos(5); // A timer for less than that costs more than it brings.
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final double nanosPerByte;
    private final LongSupplier restNanos;
    private final Deadlines deadlines;
    private final AtomicLong paidAt = new AtomicLong();

    /** @param bytesPerSecond above 0 */
    Pace(long bytesPerSecond, Deadlines deadlines) {
        this(bytesPerSecond, () -> 0, deadlines);
    }

    /**
     * @param bytesPerSecond above 0
     * @param restNanos what a turn costs whatever is spent in it; any thread may ask it
     */
    Pace(long bytesPerSecond, LongSupplier restNanos, Deadlines deadlines) {
        this.nanosPerByte = (double) SECOND / bytesPerSecond;
        this.restNanos = restNanos;
        this.deadlines = deadlines;
    }

    /** Empty as soon as everything is paid off, but for some milliseconds. Each subscription is a turn, which costs nothing where it is cancelled meanwhile. */
    Mono<Void> ready() {
        return Mono.defer(() -> {
            long now = deadlines.now();
            long rest = restNanos.getAsLong();
            long paid = rest == 0 ? paidAt.get() : paidAt.getAndUpdate(until -> Math.max(until, now) + rest);
            long debt = paid - now;
            return debt > TOLERANCE_NANOS
                    ? deadlines.after(debt).doOnCancel(() -> paidAt.addAndGet(-rest))
                    : Mono.empty();
        });
    }

    void spend(long bytes) {
        long now = deadlines.now();
        long cost = (long) (bytes * nanosPerByte);
        paidAt.updateAndGet(until -> Math.max(until, now) + cost);
    }

    /** How long it will take until everything is paid off; 0 or less if it is. */
    long debtNanos() {
        return paidAt.get() - deadlines.now();
    }
}
