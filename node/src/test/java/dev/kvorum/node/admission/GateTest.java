package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.http.RefusedRequestException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** On virtual time; the thread of the test is the event loop. */
class GateTest implements GateListener {
    private static final Duration WAIT = Duration.ofMillis(50);
    private static final Duration LOOK = Duration.ofMillis(LoopLoad.LOOK_MILLIS);
    private static final int LIMIT = 3;

    private long loopNanos;
    private boolean othersRest = true;
    private final VirtualTimeScheduler loop = VirtualTimeScheduler.create();
    private final Gate gate = gate(() -> LIMIT);
    private final List<Duration> waits = new ArrayList<>();
    private final List<Duration> waitsInVain = new ArrayList<>();
    private final List<Integer> rooms = new ArrayList<>();
    private final List<Sinks.One<String>> operations = new ArrayList<>();
    private int refusals;

    @AfterEach
    void dispose() {
        loop.dispose();
    }

    private Gate gate(IntSupplier limit) {
        return new Gate(loop, () -> loop.now(TimeUnit.NANOSECONDS), () -> loopNanos, limit, WAIT, this);
    }

    private CompletableFuture<@Nullable String> begin(Gate gate) {
        return gate.admit(
                        () -> {
                            operations.add(Sinks.one());
                            return operations.getLast().asMono();
                        },
                        () -> refusals++)
                .toFuture();
    }

    private List<CompletableFuture<@Nullable String>> begin(int number) {
        return IntStream.range(0, number).mapToObj(i -> begin(gate)).toList();
    }

    private void end(int operation) {
        operations.get(operation).tryEmitValue("ended").orThrow();
    }

    @Override
    public boolean room(int more) {
        rooms.add(more);
        return othersRest;
    }

    @Override
    public void waited(long nanos) {
        waits.add(Duration.ofNanos(nanos));
    }

    @Override
    public void waitedInVain(long nanos) {
        waitsInVain.add(Duration.ofNanos(nanos));
    }

    @Test
    void roomIsToldWhenNobodyHasWaitedForSomeMilliseconds() {
        var _ = begin(LIMIT + 1);

        end(0); // Its room is that of the one who waits.
        loop.advanceTimeBy(Duration.ofMillis(WakeUps.ROOM_MILLIS - 1));
        end(1);
        assertThat(rooms).isEmpty();
        loop.advanceTimeBy(Duration.ofMillis(1));
        end(2);
        assertThat(rooms).containsExactly(1);
    }

    @Test
    void roomIsToldNoMoreWhenNobodyIsLeftToCome() {
        othersRest = false;
        var _ = begin(LIMIT + 1);
        loop.advanceTimeBy(WAIT); // One is refused.
        loop.advanceTimeBy(Duration.ofMillis(WakeUps.ROOM_MILLIS));

        end(0);
        end(1);

        assertThat(rooms).hasSize(1);
    }

    /** Who rests then has nothing to ask for, it seems. */
    @Test
    void moreRoomIsToldTheLongerNobodyHasWaited() {
        var _ = begin(LIMIT + 1);
        loop.advanceTimeBy(WAIT); // One is refused, and that is when somebody waited last.
        loop.advanceTimeBy(Duration.ofMillis(WakeUps.ROOM_MILLIS - 1));
        end(0);
        assertThat(rooms).isEmpty();

        loop.advanceTimeBy(Duration.ofMillis(1));
        end(1);
        end(2);
        int operation = LIMIT;
        for (int i = 0; i < 9; i++) {
            loop.advanceTimeBy(Duration.ofMillis(WakeUps.ROOM_MILLIS));
            var _ = begin(1);
            end(operation++);
        }

        assertThat(rooms).containsExactly(1, 1, 2, 4, 8, 16, 32, 64, 128, Gate.TURN_MAX, Gate.TURN_MAX);
    }

    /** As of a collector. */
    @Test
    void aPauseIsNoLongTimeInWhichNobodyHasWaited() {
        var _ = begin(LIMIT + 1);
        loop.advanceTimeBy(WAIT);
        loop.advanceTimeBy(Duration.ofDays(1));

        end(0);

        assertThat(rooms).containsExactly(1);
    }

    @Test
    void littleRoomIsToldWhenSomebodyHasWaitedAgain() {
        var _ = begin(LIMIT + 1);
        loop.advanceTimeBy(WAIT);
        for (int i = 0; i < LIMIT; i++) {
            loop.advanceTimeBy(Duration.ofMillis(WakeUps.ROOM_MILLIS));
            end(i);
        }
        assertThat(rooms).containsExactly(1, 2, 4);
        var _ = begin(LIMIT + 1);
        end(LIMIT);
        loop.advanceTimeBy(Duration.ofMillis(WakeUps.ROOM_MILLIS));

        end(LIMIT + 1);

        assertThat(rooms).containsExactly(1, 2, 4, 1);
    }

    @Test
    void noRoomIsToldWhereMoreAreUnderWayThanMayBeNow() {
        AtomicInteger limit = new AtomicInteger(LIMIT);
        Gate gate = gate(limit::get);
        beginAll(gate, LIMIT + 1);
        loop.advanceTimeBy(WAIT);
        loop.advanceTimeBy(Duration.ofMillis(WakeUps.ROOM_MILLIS));
        limit.set(1);

        end(0);
        end(1);
        assertThat(rooms).isEmpty();
        end(2);

        assertThat(rooms).containsExactly(1);
    }

    @Test
    void roomIsNotToldWhereNobodyHasWaited() {
        var _ = begin(1);
        loop.advanceTimeBy(Duration.ofMillis(WakeUps.ROOM_MILLIS));

        end(0);

        assertThat(rooms).isEmpty();
    }

    private Gate wide() {
        return gate(() -> 4 * Limiter.BUSY_LIMIT);
    }

    private void beginAll(Gate gate, int number) {
        for (int i = 0; i < number; i++) {
            var _ = begin(gate);
        }
    }

    @Test
    void whereTheLoopIsIdleAtTimesAsManyAreUnderWayAsThereIsMemoryFor() {
        Gate wide = wide();
        loop.advanceTimeBy(LOOK);
        loopNanos = LOOK.toNanos() / 2;

        beginAll(wide, 4 * Limiter.BUSY_LIMIT + 1);

        assertThat(wide.inFlight()).isEqualTo(4 * Limiter.BUSY_LIMIT);
        assertThat(wide.waiting()).isOne();
    }

    @Test
    void whereTheLoopIsAlwaysBusyFewAreUnderWayUntilItIsIdleAgain() {
        Gate wide = wide();
        loop.advanceTimeBy(LOOK);
        loopNanos = LOOK.toNanos();
        beginAll(wide, 2 * Limiter.BUSY_LIMIT);
        assertThat(wide.inFlight()).isEqualTo(Limiter.BUSY_LIMIT);

        loop.advanceTimeBy(LOOK); // All that waited are refused.
        beginAll(wide, 2);

        assertThat(wide.inFlight()).isEqualTo(Limiter.BUSY_LIMIT + 2);
    }

    /** A gate whose loop is busy all the time, and which has been full for long: one waits, and one was refused. */
    private Gate drowning() {
        LongSupplier time = () -> loop.now(TimeUnit.NANOSECONDS);
        Gate drowning = new Gate(loop, time, time, () -> 4 * Limiter.BUSY_LIMIT, WAIT, this);
        loop.advanceTimeBy(LOOK);
        beginAll(drowning, Limiter.BUSY_LIMIT + 1);
        loop.advanceTimeBy(WAIT);
        beginAll(drowning, 1);
        assertThat(drowning.inFlight()).isEqualTo(Limiter.BUSY_LIMIT);
        assertThat(drowning.waiting()).isOne();
        return drowning;
    }

    @Test
    void whereTheLoopIsBusyAShortQueueWaitsHoweverLongThatTakes() {
        Gate drowning = drowning();
        beginAll(drowning, Limiter.BUSY_LIMIT - 2);
        loop.advanceTimeBy(WAIT.minusMillis(1));
        assertThat(drowning.turnsAway()).isFalse();

        beginAll(drowning, 1);

        assertThat(drowning.turnsAway()).isTrue();
        assertThat(drowning.waiting()).isEqualTo(Limiter.BUSY_LIMIT);
        assertThat(refusals).isEqualTo(1);
    }

    /** As where values are large. */
    @Test
    void whereTheLoopIsBusyAndFewMayBeUnderWayAsFewWait() {
        ManualLoop manual = new ManualLoop();
        AtomicInteger limit = new AtomicInteger(Limiter.BUSY_LIMIT);
        Gate busy = manual.gate(limit::get, WAIT, this);
        beginAll(busy, Limiter.BUSY_LIMIT + 1);
        manual.passBusy(LOOK);
        limit.set(3);

        beginAll(busy, 1);
        assertThat(busy.turnsAway()).isFalse();
        beginAll(busy, 1);
        assertThat(busy.turnsAway()).isTrue();

        for (int i = 0; i < Limiter.BUSY_LIMIT - 3; i++) {
            end(i);
        }
        manual.runTasks();
        assertThat(busy.inFlight()).isEqualTo(3);
        assertThat(busy.waiting()).isEqualTo(3);
    }

    @Test
    void whereMoreMayBeUnderWayThanBeforeWhoWaitsBegins() {
        ManualLoop manual = new ManualLoop();
        AtomicInteger limit = new AtomicInteger(1);
        Gate gate = manual.gate(limit::get, WAIT, this);
        beginAll(gate, 4);
        limit.set(3);

        end(0);
        manual.runTasks();

        assertThat(gate.inFlight()).isEqualTo(3);
        assertThat(gate.waiting()).isZero();
    }

    @Test
    void whereTheLoopIsBusyNobodyWaitsLongerThanInABurst() {
        Gate drowning = drowning();

        loop.advanceTimeBy(WAIT);

        assertThat(drowning.waiting()).isZero();
    }

    @Test
    void whereTheLoopIsBusyWhoEndsMakesRoomForOneMoreInTheSameTurn() {
        ManualLoop manual = new ManualLoop();
        Gate drowning = manual.gate(() -> Limiter.BUSY_LIMIT, WAIT, this);
        beginAll(drowning, Limiter.BUSY_LIMIT + 1);
        manual.passBusy(LOOK);
        beginAll(drowning, Limiter.BUSY_LIMIT - 1);
        assertThat(drowning.turnsAway()).isTrue();

        end(0);

        assertThat(drowning.waiting()).isEqualTo(Limiter.BUSY_LIMIT);
        assertThat(drowning.turnsAway()).isFalse();
        beginAll(drowning, 1);
        assertThat(drowning.turnsAway()).isTrue();
    }

    @Test
    void whereTheLoopHasBecomeBusyWithManyUnderWayAsManyWaitAsAnywhere() {
        ManualLoop manual = new ManualLoop();
        Gate hovering = manual.gate(() -> 200, WAIT, this);
        beginAll(hovering, 201);
        manual.passBusy(LOOK);

        beginAll(hovering, Limiter.BUSY_LIMIT - 2);
        assertThat(hovering.turnsAway()).isFalse();
        beginAll(hovering, 1);
        assertThat(hovering.turnsAway()).isTrue();
    }

    /** Nobody ends, and nobody else comes. */
    @Test
    void whereTheLoopIsBusyNoMoreWhoWaitsBegins() {
        Gate wide = new Gate(
                loop,
                () -> loop.now(TimeUnit.NANOSECONDS),
                () -> loopNanos,
                () -> 4 * Limiter.BUSY_LIMIT,
                Duration.ofSeconds(1),
                this);
        loop.advanceTimeBy(LOOK);
        loopNanos = LOOK.toNanos();
        beginAll(wide, Limiter.BUSY_LIMIT + 1);
        assertThat(wide.waiting()).isOne();

        loop.advanceTimeBy(LOOK);

        assertThat(wide.inFlight()).isEqualTo(Limiter.BUSY_LIMIT + 1);
    }

    /** A look finds room, and the task that refuses is not due for long. */
    @Test
    void whereSomebodyComesToALoopThatIsBusyNoMoreWhoWaitsBegins() {
        ManualLoop manual = new ManualLoop();
        Gate wide = manual.gate(() -> 4 * Limiter.BUSY_LIMIT, WAIT, this);
        manual.passBusy(LOOK);
        beginAll(wide, Limiter.BUSY_LIMIT + 1);
        manual.passIdle(LOOK);

        assertThat(wide.turnsAway()).isFalse();

        manual.tasks.removeFirst().run();
        assertThat(wide.waiting()).isZero();
    }

    @Test
    void whoHasWaitedTooLongBeginsWhereThereIsRoomMeanwhile() {
        ManualLoop manual = new ManualLoop();
        Gate gate = manual.gate(() -> 1, WAIT, this);
        beginAll(gate, 2);
        manual.passIdle(WAIT);
        end(0);

        manual.delayed.removeFirst().run();

        assertThat(refusals).isZero();
        assertThat(gate.inFlight()).isOne();
    }

    /** Or the task would come again at once, for ever. */
    @Test
    void whoHasGoneLeavesTheQueueWithTime() {
        ManualLoop manual = new ManualLoop();
        Gate gate = manual.gate(() -> 1, WAIT, this);
        beginAll(gate, 1);
        begin(gate).cancel(false);
        end(0);
        manual.passIdle(WAIT);

        manual.delayed.removeFirst().run();

        assertThat(manual.delayed).isEmpty();
    }

    @Test
    void thoseWhoWaitBeginWhenAllAreAnsweredWhoEndInTheSameTurn() {
        ManualLoop manual = new ManualLoop();
        Gate gate = manual.gate(() -> 2, WAIT, this);
        beginAll(gate, 4);

        end(0);
        end(1);

        assertThat(operations).hasSize(2);
        assertThat(manual.tasks).hasSize(1);
        manual.tasks.removeFirst().run();
        assertThat(operations).hasSize(4);
    }

    @Test
    void operationsWithinTheLimitBeginAtOnce() {
        var _ = begin(LIMIT);

        assertThat(operations).hasSize(LIMIT);
        assertThat(gate.inFlight()).isEqualTo(LIMIT);
        assertThat(gate.waiting()).isZero();
    }

    @Test
    void oneBeyondTheLimitBeginsWhenAnotherEnds() {
        var _ = begin(LIMIT);
        CompletableFuture<@Nullable String> late = begin(gate);
        assertThat(operations).hasSize(LIMIT);

        end(0);

        assertThat(operations).hasSize(LIMIT + 1);
        end(LIMIT);
        assertThat(late).isCompletedWithValue("ended");
    }

    @Test
    void waitingOperationsBeginInTheOrderOfTheirArrival() {
        var _ = begin(LIMIT);
        CompletableFuture<@Nullable String> first = begin(gate);
        CompletableFuture<@Nullable String> second = begin(gate);

        end(0);
        end(LIMIT);

        assertThat(first).isCompleted();
        assertThat(second).isNotCompleted();
    }

    @Test
    void operationWhoseTurnDoesNotComeIsRefusedAndNeverBegins() {
        var _ = begin(LIMIT);
        CompletableFuture<@Nullable String> late = begin(gate);

        loop.advanceTimeBy(WAIT.minusMillis(1));
        assertThat(late).isNotCompleted();
        loop.advanceTimeBy(Duration.ofMillis(1));

        assertThatThrownBy(late::join).hasCauseInstanceOf(RefusedRequestException.class);
        assertThat(gate.waiting()).isZero();
        assertThat(operations).hasSize(LIMIT);
    }

    @Test
    void whereTheGateHasBeenFullForTheLengthOfABurstOneWaitsForSomeMillisecondsOnly() {
        var _ = begin(LIMIT);
        CompletableFuture<@Nullable String> first = begin(gate);
        loop.advanceTimeBy(WAIT.minusMillis(1));
        CompletableFuture<@Nullable String> second = begin(gate);

        loop.advanceTimeBy(Duration.ofMillis(ControlledDelay.STANDING_MILLIS_MAX - 1));
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isNotCompleted();

        loop.advanceTimeBy(Duration.ofMillis(1));
        assertThat(second).isCompletedExceptionally();
        CompletableFuture<@Nullable String> third = begin(gate);
        loop.advanceTimeBy(Duration.ofMillis(ControlledDelay.STANDING_MILLIS_MAX));
        assertThat(third).isCompletedExceptionally();
    }

    @Test
    void thoseOfABurstAreRefusedWithItsEndIfTheyHaveWaitedForSomeMilliseconds() {
        var _ = begin(LIMIT);
        var _ = begin(gate);
        loop.advanceTimeBy(Duration.ofMillis(20));
        CompletableFuture<@Nullable String> second = begin(gate);

        loop.advanceTimeBy(WAIT.minusMillis(20));

        assertThat(second).isCompletedExceptionally();
    }

    @Test
    void gateThatHadRoomLetsTheNextBurstWait() {
        var _ = begin(LIMIT);
        var _ = begin(gate);
        loop.advanceTimeBy(WAIT.multipliedBy(2));
        end(0); // Nobody waits, so there is room.
        var _ = begin(gate);

        CompletableFuture<@Nullable String> next = begin(gate);

        loop.advanceTimeBy(WAIT.minusMillis(1));
        assertThat(next).isNotCompleted();
        loop.advanceTimeBy(Duration.ofMillis(1));
        assertThat(next).isCompletedExceptionally();
    }

    @Test
    void waitsAreToldThatEndWithATurnAndThoseInVain() {
        var _ = begin(LIMIT + 2);
        loop.advanceTimeBy(Duration.ofMillis(20));
        end(0);

        loop.advanceTimeBy(WAIT.minusMillis(20));

        assertThat(waits).containsExactly(Duration.ofMillis(20));
        assertThat(waitsInVain).containsExactly(WAIT);
    }

    @Test
    void gateTurnsNobodyAwayDuringABurst() {
        var _ = begin(LIMIT + 1);

        loop.advanceTimeBy(WAIT.minusMillis(1));

        assertThat(gate.turnsAway()).isFalse();
    }

    @Test
    void gateThatStandsTurnsEverybodyAwayWhoWouldWaitTooLong() {
        var _ = begin(LIMIT + 1);
        loop.advanceTimeBy(WAIT); // And that is refused.
        assertThat(gate.turnsAway()).isFalse();
        var _ = begin(1);
        assertThat(gate.turnsAway()).isFalse();

        loop.advanceTimeBy(Duration.ofMillis(ControlledDelay.STANDING_MILLIS_MAX - 1));

        assertThat(gate.turnsAway()).isTrue();
        end(0);
        assertThat(gate.turnsAway()).isFalse();
    }

    /** How long it would have waited says nothing of those who still do. */
    @Test
    void whoHasGoneTurnsNobodyAway() {
        var _ = begin(LIMIT + 1);
        loop.advanceTimeBy(WAIT);
        CompletableFuture<@Nullable String> gone = begin(gate);
        loop.advanceTimeBy(Duration.ofMillis(ControlledDelay.STANDING_MILLIS_MAX - 1));
        assertThat(gate.turnsAway()).isTrue();

        gone.cancel(false);

        assertThat(gate.turnsAway()).isFalse();
        var _ = begin(1);
        assertThat(gate.turnsAway()).isFalse();
    }

    /** Or whoever is looked into first would have what the others are denied. */
    @Test
    void whoComesToAGateThatTurnsAwayIsRefusedAtOnce() {
        var _ = begin(LIMIT + 1);
        loop.advanceTimeBy(WAIT);
        var _ = begin(1);
        loop.advanceTimeBy(Duration.ofMillis(ControlledDelay.STANDING_MILLIS_MAX - 1));
        int before = refusals;

        CompletableFuture<@Nullable String> late = begin(gate);

        assertThat(late).isCompletedExceptionally();
        assertThat(refusals).isEqualTo(before + 1);
        assertThat(gate.waiting()).isOne();
    }

    @Test
    void roomIsNotToldSoonAfterSomebodyWasTurnedAway() {
        var _ = begin(LIMIT + 1);
        loop.advanceTimeBy(WAIT);
        var _ = begin(1);
        loop.advanceTimeBy(Duration.ofMillis(ControlledDelay.STANDING_MILLIS_MAX - 1));
        assertThat(gate.turnsAway()).isTrue();
        gate.turnedAway();

        end(0);
        loop.advanceTimeBy(Duration.ofMillis(WakeUps.ROOM_MILLIS - 1));
        end(1);
        assertThat(rooms).isEmpty();
        loop.advanceTimeBy(Duration.ofMillis(1));
        end(2);
        assertThat(rooms).hasSize(1);
    }

    @Test
    void refusalIsToldBeforeTheClient() {
        var _ = begin(LIMIT);
        CompletableFuture<Integer> toldBefore = new CompletableFuture<>();
        var _ = gate.admit(() -> Mono.just("never"), () -> refusals++)
                .subscribe(value -> {}, e -> toldBefore.complete(refusals));

        loop.advanceTimeBy(WAIT);

        assertThat(toldBefore).isCompletedWithValue(1);
    }

    @Test
    void clientThatGoesAwayLeavesItsPlaceInTheQueueAndInTheLimit() {
        List<CompletableFuture<@Nullable String>> begun = begin(LIMIT);
        CompletableFuture<@Nullable String> gone = begin(gate);
        CompletableFuture<@Nullable String> next = begin(gate);

        gone.cancel(false);
        assertThat(gate.waiting()).isOne();
        begun.getFirst().cancel(false);

        end(LIMIT);
        assertThat(next).isCompletedWithValue("ended");
    }

    @Test
    void operationThatCannotBeginTakesNoPlace() {
        Mono<String> broken = gate.admit(
                () -> {
                    throw new IllegalStateException("as the test says");
                },
                () -> refusals++);

        assertThatThrownBy(broken::block).hasMessage("as the test says");
        assertThat(gate.inFlight()).isZero();
    }

    @Test
    void operationsThatEndAtOnceNeedNoStackOfTheirOwn() {
        var _ = begin(LIMIT);
        List<CompletableFuture<@Nullable String>> waiting = IntStream.range(0, 100_000)
                .<CompletableFuture<@Nullable String>>mapToObj(i ->
                        gate.admit(() -> Mono.just("ended"), () -> refusals++).toFuture())
                .toList();

        end(0);
        loop.advanceTimeBy(Duration.ofMillis(1)); // Some in each turn of the loop.

        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }

    @Test
    void noMoreThanSomeLeaveTheQueueInOneTask() {
        ManualLoop manual = new ManualLoop();
        Gate busy = manual.gate(() -> 1, WAIT, this);
        var _ = begin(busy);
        List<CompletableFuture<@Nullable String>> waiting = IntStream.range(0, 1000)
                .<CompletableFuture<@Nullable String>>mapToObj(i ->
                        busy.admit(() -> Mono.just("ended"), () -> refusals++).toFuture())
                .toList();

        end(0);
        manual.tasks.removeFirst().run();

        assertThat(waiting).filteredOn(CompletableFuture::isDone).hasSize(Gate.TURN_MAX);
        assertThat(manual.tasks).isEmpty(); // The loop turns to its connections before the next leave it.
        manual.runDelayed();
        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }

    @Test
    void noMoreThanSomeAreRefusedInOneTask() {
        ManualLoop manual = new ManualLoop();
        Gate busy = manual.gate(() -> 1, WAIT, this);
        var _ = begin(busy);
        beginAll(busy, 1000);
        manual.passIdle(WAIT);

        manual.delayed.removeFirst().run();

        assertThat(refusals).isEqualTo(Gate.TURN_MAX);
        assertThat(manual.tasks).isEmpty();
        manual.runDelayed();
        assertThat(refusals).isEqualTo(1000);
    }

    /** As where a machine has paused. */
    @Test
    void noneIsRefusedWhereThereIsRoomForMoreThanBeginInOneTask() {
        ManualLoop manual = new ManualLoop();
        Gate wide = manual.gate(() -> 1000, WAIT, this);
        beginAll(wide, 1000);
        beginAll(wide, 1000);
        for (int i = 0; i < 1000; i++) {
            end(i);
        }
        manual.passIdle(WAIT);

        manual.delayed.removeFirst().run();

        assertThat(wide.inFlight()).isEqualTo(Gate.TURN_MAX);
        assertThat(refusals).isZero();
    }

    @Test
    void whoWaitsIsLookedAfterThoughTheFirstHasThrown() {
        ManualLoop manual = new ManualLoop();
        Queue<RuntimeException> bugs = new ArrayDeque<>(List.of(new IllegalStateException("as the test says")));
        Gate one = manual.gate(() -> 1, WAIT, new GateListener() {
            @Override
            public void waited(long nanos) {
                if (!bugs.isEmpty()) {
                    throw bugs.remove();
                }
            }

            @Override
            public void waitedInVain(long nanos) {
                throw new AssertionError("somebody was refused");
            }

            @Override
            public boolean room(int more) {
                return false;
            }
        });
        var _ = begin(one);
        CompletableFuture<@Nullable String> waits = begin(one);
        end(0);
        manual.tasks.clear(); // Its timer comes first.

        assertThatThrownBy(() -> manual.delayed.removeFirst().run()).isInstanceOf(IllegalStateException.class);
        manual.delayed.removeFirst().run();

        end(1);
        assertThat(waits).isCompletedWithValue("ended");
    }

    /** Many may be under way since it was not busy, and none of them end. */
    @Test
    void whereTheLoopIsBusyNoMoreDuringABurstWhoWaitsBegins() {
        ManualLoop manual = new ManualLoop();
        Gate wide = manual.gate(() -> 2 * Limiter.BUSY_LIMIT, Duration.ofSeconds(10), this);
        beginAll(wide, 2 * Limiter.BUSY_LIMIT + 2); // Is not busy when the first has to wait.
        manual.passBusy(LOOK);
        end(0);
        manual.runTasks(); // Is busy, and has room for nobody.
        assertThat(wide.waiting()).isEqualTo(2);
        manual.passIdle(LOOK);

        manual.runDue();

        assertThat(wide.waiting()).isOne();
    }

    @Test
    void whoHasGoneSinceAnotherEndedLeavesItsTurnToTheNext() {
        ManualLoop manual = new ManualLoop();
        Gate one = manual.gate(() -> 1, WAIT, this);
        var _ = begin(one);
        CompletableFuture<@Nullable String> gone = begin(one);
        CompletableFuture<@Nullable String> next = begin(one);

        end(0);
        gone.cancel(false);
        manual.runTasks();
        end(1);

        assertThat(next).isCompletedWithValue("ended");
    }

    @Test
    void thoseWhoLeaveDoNotKeepOthersFromTheirTurn() {
        List<CompletableFuture<@Nullable String>> begun = begin(LIMIT);
        List<CompletableFuture<@Nullable String>> gone = begin(1000);
        gone.forEach(one -> one.cancel(false));
        assertThat(gate.waiting()).isZero();
        CompletableFuture<@Nullable String> last = begin(gate);

        begun.getFirst().cancel(false);
        loop.advanceTime();

        assertThat(operations).hasSize(LIMIT + 1);
        end(LIMIT);
        assertThat(last).isCompletedWithValue("ended");
    }

    @Test
    void allAreRefusedWhoseTimeHasCome() {
        var _ = begin(LIMIT);
        List<CompletableFuture<@Nullable String>> late = begin(1000);

        loop.advanceTimeBy(WAIT.plusNanos(1000 / Gate.TURN_MAX)); // Some in each turn of the loop.

        assertThat(late).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(gate.waiting()).isZero();
    }
}
