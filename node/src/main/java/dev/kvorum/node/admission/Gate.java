package dev.kvorum.node.admission;

import dev.kvorum.node.admission.WaitingQueue.Waiting;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Admits the operations that the clients of one event loop ask for: at once where the {@link Limiter} has room, else when their turn comes, if it comes within the {@link ControlledDelay}.
 * Where the loop is busy at most as many wait as are under way.
 *
 * <p>Confined to the thread of its loop, but for the end of operations, which any thread may bring.
 */
final class Gate {
    /** How many leave the queue before the loop turns to its connections again. */
    static final int TURN_MAX = 256;

    // A task that is due at once runs in this turn, and one that is due later after the loop's connections.
    private static final long NEXT_TURN_NANOS = 1;

    /** What those are told who are refused. */
    static final Problem OVERLOADED = Problem.of(
            HttpStatus.SERVICE_UNAVAILABLE,
            "overloaded",
            "This node has more requests than it can serve: try again later. Nothing was read or stored.");

    /** One for all, as its text is made only once; it has no stack trace. Bodies are taken in before their operations come here. */
    private final RefusedRequestException overloaded = RefusedRequestException.afterBody(OVERLOADED);

    private final Scheduler loop;
    private final LongSupplier nanoTime;
    private final LoopLoad load;
    private final Limiter limiter;
    private final ControlledDelay delay;
    private final WakeUps wakeUps;
    private final GateListener listener;
    private final Thread owner = Thread.currentThread();
    private final WaitingQueue queue = new WaitingQueue();
    private boolean lettingLater; // A task is scheduled for it.
    private boolean refusing; // A task that refuses is scheduled.

    /**
     * @param loop runs tasks on the calling thread
     * @param loopNanos how long the calling thread has had something to do, in nanoseconds: {@link BusyTime}
     * @param limit operations under way, at least 1: {@link MemoryLimit}
     * @param burstMax how long an operation may wait in a burst, and how long a burst may last
     */
    Gate(
            Scheduler loop,
            LongSupplier nanoTime,
            LongSupplier loopNanos,
            IntSupplier limit,
            Duration burstMax,
            GateListener listener) {
        this.loop = loop;
        this.nanoTime = nanoTime;
        this.load = new LoopLoad(nanoTime, loopNanos, this::loopIsIdle);
        this.limiter = new Limiter(limit, load);
        this.delay = new ControlledDelay(burstMax);
        this.wakeUps = new WakeUps(limiter, nanoTime, listener);
        this.listener = listener;
    }

    int inFlight() {
        return limiter.inFlight();
    }

    int waiting() {
        return queue.size();
    }

    /**
     * Carries out an operation now or when its turn comes; fails with {@link RefusedRequestException} if that takes too long.
     *
     * @param operation counts as under way until what it returns ends or is cancelled
     * @param refusal run before it fails so
     */
    <T> Mono<T> admit(Supplier<Mono<T>> operation, Runnable refusal) {
        return Mono.defer(() -> {
            if (queue.isEmpty() && limiter.hasRoom()) {
                return begin(operation);
            }
            Mono<Boolean> turn = turnsAway() ? refuse() : Mono.create(this::await);
            return turn.doOnError(refused -> refusal.run()).flatMap(let -> begin(operation));
        });
    }

    private <T> Mono<T> refuse() {
        turnedAway();
        return Mono.error(overloaded);
    }

    private <T> Mono<T> begin(Supplier<Mono<T>> operation) {
        Mono<T> begun = operation.get();
        limiter.begun(); // Not if that has thrown.
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
        limiter.ended();
        if (!queue.isEmpty()) {
            letInLater();
            return;
        }
        if (limiter.hasRoom()) {
            delay.room();
        }
        wakeUps.ended();
    }

    private void loopIsIdle() {
        if (!queue.isEmpty()) {
            letInLater();
        }
    }

    /**
     * Whether one more operation would be refused: the queue stands, and is as long as it may be, or the first in it has waited for half of what is allowed. So it need
     * not be looked into, and does not wait.
     */
    boolean turnsAway() {
        if (queue.isEmpty()) {
            return false;
        }
        long now = nanoTime.getAsLong();
        if (!delay.stands(now)) {
            return false;
        }
        load.look(now);
        if (load.isBusy()) {
            int most = limiter.busyLimit();
            return queue.size() - Math.max(0, most - limiter.inFlight()) >= most;
        }
        return !limiter.hasRoom() && now - Objects.requireNonNull(queue.first()).since() >= waitMax(now) / 2;
    }

    /** One was refused because of that. */
    void turnedAway() {
        wakeUps.press(nanoTime.getAsLong());
    }

    private void await(MonoSink<Boolean> turn) {
        long now = nanoTime.getAsLong();
        delay.full(now);
        Waiting one = queue.add(turn, now);
        wakeUps.press(now);
        var _ = turn.onCancel(() -> onOwner(() -> queue.leave(one, gone -> {})));
        if (!refusing) {
            refuseLater(untilNextLook(waitMax(now), now));
        }
    }

    private long waitMax(long now) {
        return delay.waitMax(now, load.isBusy());
    }

    /**
     * At the end of this turn of the loop: first all are answered who can be. Their clients are woken once then, which costs the loop a third of such an answer each time, and find
     * the next answers when they look again.
     */
    private void letInLater() {
        if (!lettingLater) {
            lettingLater = true;
            var _ = loop.schedule(this::letInThen);
        }
    }

    private void letInThen() {
        lettingLater = false;
        letIn();
    }

    private void letIn() {
        boolean isScheduled = lettingLater;
        lettingLater = true; // Those who end meanwhile leave it to this task, which knows when it is enough.
        int left = TURN_MAX;
        try {
            for (Waiting first = queue.first();
                    first != null && limiter.hasRoom() && left-- > 0;
                    first = queue.first()) {
                long now = nanoTime.getAsLong();
                wakeUps.press(now);
                listener.waited(now - first.since());
                queue.leave(first, turn -> turn.success(true));
            }
        } finally {
            // Also if one of them has thrown: the others wait for it.
            lettingLater = isScheduled;
            if (queue.isEmpty() && limiter.hasRoom()) {
                delay.room();
            }
            if (!queue.isEmpty() && limiter.hasRoom() && !lettingLater) {
                lettingLater = true;
                var _ = loop.schedule(this::letInThen, NEXT_TURN_NANOS, TimeUnit.NANOSECONDS);
            }
        }
    }

    private void refuseLater(long delayNanos) {
        refusing = true;
        var _ = loop.schedule(this::refuseExpired, delayNanos, TimeUnit.NANOSECONDS);
    }

    private void refuseExpired() {
        refusing = false;
        try {
            letIn(); // Those for whom there is room since this task was due.
            if (!limiter.hasRoom()) { // Else others are let in next.
                refuse(nanoTime.getAsLong());
            }
        } finally {
            // Also if somebody who was told has thrown: the others wait for it.
            Waiting first = queue.first();
            if (first != null && !refusing) {
                long now = nanoTime.getAsLong();
                refuseLater(Math.max(NEXT_TURN_NANOS, untilNextLook(first.since() + waitMax(now) - now, now)));
            }
        }
    }

    /** Those who have waited too long, up to a turn of them. */
    private void refuse(long now) {
        int left = TURN_MAX;
        for (Waiting first = queue.first(); first != null; first = queue.first()) {
            if (now - first.since() < waitMax(now) || left-- == 0) {
                return;
            }
            wakeUps.press(now);
            listener.waitedInVain(now - first.since());
            queue.leave(first, turn -> turn.error(overloaded));
        }
    }

    /** Until the first has waited too long, or the queue has stood so long that it has, or the loop may have become busy, or be so no more. */
    private long untilNextLook(long rest, long now) {
        return Math.min(delay.untilStanding(rest, now), LoopLoad.LOOK_NANOS);
    }
}
