package dev.kvorum.node.copy;

import dev.kvorum.node.deadline.Deadlines;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;

/**
 * Holds work to a rate: what was spent is paid off in time, and until then nothing more is begun. Where rests are due as well, a turn costs one even where little is spent in it, and so turns
 * are given out one after the other. Any thread.
 */
public final class Pace {
    private static final long TOLERANCE_NANOS =
            TimeUnit.MILLISECONDS.toNanos(5); // A timer for less than that costs more than it brings.
    private static final int KIB = 1024;

    /** What a turn costs in rests besides what is spent in it: its call takes about as long as so much of small cells. */
    private static final int KIB_PER_TURN = 8;

    /** Of what is spent at once so much is rested for: whoever waits has the patience for a few turns. */
    private static final long RESTED_MAX = 16 * KIB;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final double nanosPerByte;
    private final LongSupplier restPerKib;
    private final Deadlines deadlines;
    private final AtomicLong paidAt = new AtomicLong();

    /** @param bytesPerSecond above 0 */
    public Pace(long bytesPerSecond, Deadlines deadlines) {
        this(bytesPerSecond, () -> 0, deadlines);
    }

    /**
     * @param bytesPerSecond above 0
     * @param restPerKib nanoseconds of rest for each KiB, asked for again and again; any thread may ask it
     */
    public Pace(long bytesPerSecond, LongSupplier restPerKib, Deadlines deadlines) {
        this.nanosPerByte = (double) SECOND / bytesPerSecond;
        this.restPerKib = restPerKib;
        this.deadlines = deadlines;
    }

    /** Empty as soon as everything is paid off, but for some milliseconds. Each subscription is a turn, which costs nothing where it is cancelled meanwhile. */
    public Mono<Void> ready() {
        return Mono.defer(() -> {
            long now = deadlines.now();
            long rest = restPerKib.getAsLong() * KIB_PER_TURN;
            long paid = rest == 0 ? paidAt.get() : paidAt.getAndUpdate(until -> Math.max(until, now) + rest);
            long debt = paid - now;
            return debt > TOLERANCE_NANOS
                    ? deadlines.after(debt).doOnCancel(() -> paidAt.addAndGet(-rest))
                    : Mono.empty();
        });
    }

    public void spend(long bytes) {
        long now = deadlines.now();
        double rest = (double) Math.min(bytes, RESTED_MAX) / KIB * restPerKib.getAsLong();
        long cost = (long) (bytes * nanosPerByte + rest);
        paidAt.updateAndGet(until -> Math.max(until, now) + cost);
    }

    /** How long it will take until everything is paid off; 0 or less if it is. */
    long debtNanos() {
        return paidAt.get() - deadlines.now();
    }
}
