package dev.kvorum.node.repair;

import dev.kvorum.node.deadline.Deadlines;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;

/**
 * How far repair holds back for clients and the disk. Any thread may ask.
 *
 * @param restPerKib nanoseconds to rest for each KiB that is scanned
 * @param busy whether clients or the disk have so much to do that repair should wait
 */
public record Backpressure(LongSupplier restPerKib, BooleanSupplier busy) {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * Completes when clients and the disk have little to do, or patience ends.
     *
     * @param patienceNanos how long to wait at most, asked at each look
     */
    public Mono<Void> quiet(Deadlines deadlines, LongSupplier patienceNanos) {
        return Mono.defer(() -> {
            long from = deadlines.now();
            BooleanSupplier waits = () -> busy.getAsBoolean() && deadlines.now() - from < patienceNanos.getAsLong();
            return Mono.defer(() -> waits.getAsBoolean() ? deadlines.after(PAUSE_NANOS) : Mono.<Void>empty())
                    .repeat(waits)
                    .then();
        });
    }
}
