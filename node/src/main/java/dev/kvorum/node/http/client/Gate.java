package dev.kvorum.node.http.client;

import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Bounds the operations that the clients of one event loop have under way. What comes on top waits for its turn, and is refused
 * when that has not come within a time.
 *
 * <p>The bound adapts, by additive increase and multiplicative decrease, to how late the loop runs its tasks. It does not look at
 * the latency of operations: that grows with a slow replica as well, which refusing others would not make faster.
 *
 * <p>A refusal comes after the wait, not at once: a client that is refused asks again, and a hundred connections refused at once
 * would keep the loop busy with nothing else. So a connection costs at most one refusal per wait.
 *
 * <p>Confined to the thread of its loop, but for the end of operations, which any thread may bring.
 */
final class Gate {
    /** Lateness of the loop's tasks above which fewer operations are let in. */
    static final Duration LATENESS_MAX = Duration.ofMillis(10);

    /** So many are let in however late the loop is: fewer would leave it idle between the answers of peers. */
    static final int LIMIT_MIN = 32;

    private static final long PROBE_EVERY_NANOS = Duration.ofMillis(5).toNanos();

    /** One for all, as its text is made only once; it has no stack trace. */
    private final RefusedRequestException overloaded = RefusedRequestException.of(Problem.of(
            HttpStatus.SERVICE_UNAVAILABLE,
            "overloaded",
            "This node has more requests than it can serve: try again later. Nothing was read or stored."));

    private final Scheduler loop;
    private final LongSupplier nanoTime;
    private final int limitMax;
    private final long waitNanosMax;
    private final Runnable onRefusal;
    private final Thread owner = Thread.currentThread();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int limit; // Not volatile: those who watch may see it late.
    private int inFlight;
    private boolean letting;
    private boolean refusing; // A task that refuses is scheduled.
    private boolean probing;
    private long probedAt;

    /**
     * @param loop runs tasks on the calling thread
     * @param limitMax upper bound of the adaptive limit, at least {@value #LIMIT_MIN}
     * @param waitMax how long an operation may wait before it is refused
     */
    Gate(Scheduler loop, LongSupplier nanoTime, int limitMax, Duration waitMax, Runnable onRefusal) {
        this.loop = loop;
        this.nanoTime = nanoTime;
        this.limitMax = limitMax;
        this.limit = limitMax;
        this.waitNanosMax = waitMax.toNanos();
        this.onRefusal = onRefusal;
        this.probedAt = nanoTime.getAsLong() - PROBE_EVERY_NANOS;
    }

    int limit() {
        return limit;
    }

    int inFlight() {
        return inFlight;
    }

    int waiting() {
        return waiting.size();
    }

    /**
     * Carries out an operation now or when its turn comes; fails with {@link RefusedRequestException} if that takes too long.
     *
     * @param operation counts as under way until what it returns ends or is cancelled
     */
    <T> Mono<T> admit(Supplier<Mono<T>> operation) {
        return Mono.defer(() -> {
            probe();
            return inFlight < limit && waiting.isEmpty()
                    ? begin(operation)
                    : Mono.<Boolean>create(this::await).flatMap(turn -> begin(operation));
        });
    }

    private <T> Mono<T> begin(Supplier<Mono<T>> operation) {
        Mono<T> begun = operation.get();
        inFlight++; // Not if that has thrown.
        return begun.doFinally(end -> onOwner(this::ended));
    }

    private void onOwner(Runnable task) {
        if (owner.equals(Thread.currentThread())) {
            task.run();
        } else {
            var _ = loop.schedule(task);
        }
    }

    private void ended() {
        inFlight--;
        letIn();
    }

    private void await(MonoSink<Boolean> turn) {
        Waiting one = new Waiting(turn, nanoTime.getAsLong() + waitNanosMax);
        waiting.add(one);
        var _ = turn.onCancel(() -> onOwner(() -> {
            waiting.remove(one);
        }));
        if (!refusing) {
            refuseLater(waitNanosMax);
        }
    }

    private void letIn() {
        if (letting) {
            return; // An operation that ends at once comes back here: it is the loop below that goes on.
        }
        letting = true;
        try {
            while (inFlight < limit && !waiting.isEmpty()) {
                waiting.remove().turn.success(true);
            }
        } finally {
            letting = false;
        }
    }

    private void refuseLater(long delayNanos) {
        refusing = true;
        var _ = loop.schedule(this::refuseExpired, delayNanos, TimeUnit.NANOSECONDS);
    }

    private void refuseExpired() {
        refusing = false;
        long now = nanoTime.getAsLong();
        for (Waiting first = waiting.peek(); first != null; first = waiting.peek()) {
            if (first.deadline - now > 0) {
                refuseLater(first.deadline - now);
                break;
            }
            waiting.remove();
            onRefusal.run();
            first.turn.error(overloaded);
        }
    }

    /** At most one task in five milliseconds, and none while nobody asks. */
    private void probe() {
        long now = nanoTime.getAsLong();
        if (!probing && now - probedAt >= PROBE_EVERY_NANOS) {
            probing = true;
            probedAt = now;
            var _ = loop.schedule(this::probed);
        }
    }

    private void probed() {
        probing = false;
        long lateness = nanoTime.getAsLong() - probedAt;
        if (lateness > LATENESS_MAX.toNanos()) {
            limit = Math.max(LIMIT_MIN, limit - limit / 8);
        } else if (limit < limitMax) {
            limit = Math.min(limitMax, limit + LIMIT_MIN / 2);
            letIn();
        }
    }

    private record Waiting(MonoSink<Boolean> turn, long deadline) {}
}
