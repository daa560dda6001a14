package dev.kvorum.node.http.client;

import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Bounds the operations that the clients of one event loop have under way: where the loop is busy all the time to {@value #BUSY_LIMIT}, as more at a time only make each
 * take longer and cost more; where it waits for replicas and disks at times to as many as there is memory for. What comes on top waits for its turn: in a burst, which ends
 * by itself, for as long as it is let, and then it is refused.
 *
 * <p>A queue that stands for as long as that only makes everybody late. Where the loop is at rest at times, an operation waits {@value #STANDING_MILLIS_MAX} ms in it: this is the
 * controlled delay of Nichols and Jacobson, as Maurer has it for servers. Where the loop is
 * busy at most as many wait as are under way, as one turn of the loop may end them all: time passes there while the system has other things to do than to run the loop, and then
 * all would be refused at once who have waited, and nobody be left to serve.
 *
 * <p>The bound is not taken from the latency of operations, which grows with one slow replica as well; nor does it shrink with how late the loop runs its tasks: on processors shared
 * with others that starved the loop ({@code docs/design/0016-steps.md}).
 *
 * <p>Confined to the thread of its loop, but for the end of operations, which any thread may bring.
 */
final class Gate {
    /** How many leave the queue before the loop turns to its connections again. */
    static final int TURN_MAX = 256;

    /** Operations under way at most where the loop is busy all the time. */
    static final int BUSY_LIMIT = 64;

    /** How often it is looked whether the loop is busy, in milliseconds. */
    static final int LOOK_MILLIS = 100;

    /** After nobody has waited for so long, in milliseconds, there is room for those who were refused. */
    static final int ROOM_MILLIS = 10;

    /** How long an operation waits at a gate that stays full though its loop is not busy, in milliseconds. */
    static final int STANDING_MILLIS_MAX = 5;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
    private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(ROOM_MILLIS);
    // A task that is due at once runs in this turn, and one that is due later after the loop's connections.
    private static final long NEXT_TURN_NANOS = 1;
    private static final int ROOM_PARTS = 16;
    private static final double BUSY_SHARE_MIN = 0.9;
    private static final long STANDING_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(STANDING_MILLIS_MAX);

    /** What those are told who are refused. */
    static final Problem OVERLOADED = Problem.of(
            HttpStatus.SERVICE_UNAVAILABLE,
            "overloaded",
            "This node has more requests than it can serve: try again later. Nothing was read or stored.");

    /** One for all, as its text is made only once; it has no stack trace. Bodies are taken in before their operations come here. */
    private final RefusedRequestException overloaded = RefusedRequestException.afterBody(OVERLOADED);

    private final Scheduler loop;
    private final LongSupplier nanoTime;
    private final LongSupplier loopNanos;
    private final IntSupplier limit;
    private final long burstNanosMax;
    private final GateListener listener;
    private final Thread owner = Thread.currentThread();
    private final Queue<Waiting> queue = new ArrayDeque<>();
    private int waiting; // Of the queue, those that have not left.
    private int inFlight; // Not volatile: those who watch may see it late.
    private boolean lettingLater; // A task is scheduled for it.
    private boolean refusing; // A task that refuses is scheduled.
    private boolean busy;
    private long lookedAt;
    private long loopNanosThen;
    private boolean pressed; // Somebody has waited, and may have been refused.
    private long lastWait;
    private long lastDoubling;
    private int told; // How many of those who rest are told of room at least.
    private boolean full; // Since then nobody has found room at once, or left it behind.
    private long fullSince;

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
        this.loopNanos = loopNanos;
        this.limit = limit;
        this.burstNanosMax = burstMax.toNanos();
        this.listener = listener;
    }

    int inFlight() {
        return inFlight;
    }

    int waiting() {
        return waiting;
    }

    /**
     * Carries out an operation now or when its turn comes; fails with {@link RefusedRequestException} if that takes too long.
     *
     * @param operation counts as under way until what it returns ends or is cancelled
     * @param refusal run before it fails so
     */
    <T> Mono<T> admit(Supplier<Mono<T>> operation, Runnable refusal) {
        return Mono.defer(() -> {
            if (waiting == 0 && hasRoom()) {
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

    private boolean hasRoom() {
        return inFlight < busyLimit() || inFlight < bound();
    }

    /** How many may be under way now. */
    private int bound() {
        lookNowAndThen(nanoTime.getAsLong());
        return busy ? busyLimit() : limit.getAsInt();
    }

    private int busyLimit() {
        return Math.min(limit.getAsInt(), BUSY_LIMIT);
    }

    private void lookNowAndThen(long now) {
        long since = now - lookedAt;
        if (since >= LOOK_NANOS) {
            long worked = loopNanos.getAsLong();
            boolean wasBusy = busy;
            busy = worked - loopNanosThen >= since * BUSY_SHARE_MIN;
            loopNanosThen = worked;
            lookedAt = now;
            if (wasBusy && !busy && waiting > 0) {
                letInLater();
            }
        }
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
        if (waiting > 0) {
            letInLater();
            return;
        }
        full &= !hasRoom();
        if (pressed) {
            tellOfRoom();
        }
    }

    /**
     * Not at every instant at which nobody waits: many who are answered ask again, and have the first claim to the room that they leave. Twice as many are told each time that for so long again nobody has
     * waited: those told before had nothing to ask for, it seems, and whoever asks next may come by one of the connections that rest.
     */
    private void tellOfRoom() {
        long now = nanoTime.getAsLong();
        if (now - lastWait < ROOM_NANOS || !hasRoom()) {
            return;
        }
        if (now - lastDoubling >= ROOM_NANOS) {
            lastDoubling = now;
            told = Math.min(TURN_MAX, Math.max(1, 2 * told));
        }
        pressed = listener.room(Math.max(told, (bound() - inFlight) / ROOM_PARTS));
    }

    /** Somebody waits, or has until now. */
    private void press(long now) {
        pressed = true;
        lastWait = now;
        told = 0;
    }

    /**
     * Whether one more operation would be refused: the queue stands, and is as long as it may be, or the first in it has waited for half of what is allowed. So it need
     * not be looked into, and does not wait.
     */
    boolean turnsAway() {
        if (waiting == 0) {
            return false;
        }
        long now = nanoTime.getAsLong();
        if (!stands(now)) {
            return false;
        }
        lookNowAndThen(now);
        if (busy) {
            int most = busyLimit();
            return waiting - Math.max(0, most - inFlight) >= most;
        }
        return !hasRoom() && now - Objects.requireNonNull(first()).since >= waitMax(now) / 2;
    }

    /** Who waits first, if anybody does. Those before it whose clients have gone leave the queue. */
    private @Nullable Waiting first() {
        Waiting first = queue.peek();
        while (first != null && first.turn == null) {
            queue.remove();
            first = queue.peek();
        }
        return first;
    }

    /** One was refused because of that. */
    void turnedAway() {
        press(nanoTime.getAsLong());
    }

    private void await(MonoSink<Boolean> turn) {
        long now = nanoTime.getAsLong();
        if (!full) {
            full = true;
            fullSince = now;
        }
        Waiting one = new Waiting(turn, now);
        queue.add(one);
        waiting++;
        press(now);
        var _ = turn.onCancel(() -> onOwner(() -> leave(one, gone -> {})));
        if (!refusing) {
            refuseLater(untilNextLook(waitMax(now), now));
        }
    }

    /** It waits no more, if it still did, and is told. */
    private void leave(Waiting one, Consumer<MonoSink<Boolean>> told) {
        MonoSink<Boolean> turn = one.turn;
        if (turn != null) {
            one.turn = null;
            waiting--;
            told.accept(turn);
        }
    }

    private boolean stands(long now) {
        return now - fullSince >= burstNanosMax;
    }

    private long waitMax(long now) {
        return stands(now) && !busy ? Math.min(STANDING_NANOS_MAX, burstNanosMax) : burstNanosMax;
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
            for (Waiting first = first(); first != null && hasRoom() && left-- > 0; first = first()) {
                long now = nanoTime.getAsLong();
                press(now);
                listener.waited(now - first.since);
                leave(first, turn -> turn.success(true));
            }
        } finally {
            // Also if one of them has thrown: the others wait for it.
            lettingLater = isScheduled;
            full &= waiting > 0 || !hasRoom();
            if (waiting > 0 && hasRoom() && !lettingLater) {
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
            if (!hasRoom()) { // Else others are let in next.
                refuse(nanoTime.getAsLong());
            }
        } finally {
            // Also if somebody who was told has thrown: the others wait for it.
            Waiting first = first();
            if (first != null && !refusing) {
                long now = nanoTime.getAsLong();
                refuseLater(Math.max(NEXT_TURN_NANOS, untilNextLook(first.since + waitMax(now) - now, now)));
            }
        }
    }

    /** Those who have waited too long, up to a turn of them. */
    private void refuse(long now) {
        int left = TURN_MAX;
        for (Waiting first = first(); first != null; first = first()) {
            if (now - first.since < waitMax(now) || left-- == 0) {
                return;
            }
            press(now);
            listener.waitedInVain(now - first.since);
            leave(first, turn -> turn.error(overloaded));
        }
    }

    /** Until the first has waited too long, or the queue has stood so long that it has, or the loop may have become busy, or be so no more. */
    private long untilNextLook(long rest, long now) {
        long next = stands(now) ? rest : Math.min(rest, fullSince + burstNanosMax - now);
        return Math.min(next, LOOK_NANOS);
    }

    /** An operation in the queue. One whose client has gone stays there, but holds nothing: to search for it costs more. */
    private static final class Waiting {
        private final long since;
        private @Nullable MonoSink<Boolean> turn; // Null when it has left.

        Waiting(MonoSink<Boolean> turn, long since) {
            this.turn = turn;
            this.since = since;
        }
    }
}
