package dev.kvorum.node.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.http.RefusedRequestException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** On virtual time; the thread of the test is the event loop. */
class GateTest {
    private static final Duration WAIT = Duration.ofMillis(50);
    private static final int LIMIT = 3;

    private final VirtualTimeScheduler loop = VirtualTimeScheduler.create();
    private final AtomicInteger refused = new AtomicInteger();
    private final Gate gate =
            new Gate(loop, () -> loop.now(TimeUnit.NANOSECONDS), LIMIT, WAIT, refused::incrementAndGet);
    private final List<Sinks.One<String>> operations = new ArrayList<>();

    @AfterEach
    void dispose() {
        loop.dispose();
    }

    private CompletableFuture<@Nullable String> begin(Gate gate) {
        return gate.admit(() -> {
                    operations.add(Sinks.one());
                    return operations.getLast().asMono();
                })
                .toFuture();
    }

    private List<CompletableFuture<@Nullable String>> begin(int number) {
        return IntStream.range(0, number).mapToObj(i -> begin(gate)).toList();
    }

    private void end(int operation) {
        operations.get(operation).tryEmitValue("ended").orThrow();
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
        assertThat(refused).hasValue(1);
        assertThat(gate.waiting()).isZero();
        assertThat(operations).hasSize(LIMIT);
    }

    @Test
    void eachWaitsForItsOwnTimeAndNoLonger() {
        var _ = begin(LIMIT);
        CompletableFuture<@Nullable String> first = begin(gate);
        loop.advanceTimeBy(Duration.ofMillis(20));
        CompletableFuture<@Nullable String> second = begin(gate);

        loop.advanceTimeBy(Duration.ofMillis(30));
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isNotCompleted();

        loop.advanceTimeBy(Duration.ofMillis(20));
        assertThat(second).isCompletedExceptionally();
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
        Mono<String> broken = gate.admit(() -> {
            throw new IllegalStateException("as the test says");
        });

        assertThatThrownBy(broken::block).hasMessage("as the test says");
        assertThat(gate.inFlight()).isZero();
    }

    @Test
    void operationsThatEndAtOnceNeedNoStackOfTheirOwn() {
        var _ = begin(LIMIT);
        List<CompletableFuture<@Nullable String>> waiting = IntStream.range(0, 100_000)
                .<CompletableFuture<@Nullable String>>mapToObj(
                        i -> gate.admit(() -> Mono.just("ended")).toFuture())
                .toList();

        end(0);

        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }
}
