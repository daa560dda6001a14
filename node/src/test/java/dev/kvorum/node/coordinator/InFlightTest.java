package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InFlightTest {
    private final InFlight inFlight = new InFlight();

    @Test
    void waitEndsAtOnceWhereNothingIsLeft() throws InterruptedException {
        inFlight.begin();
        inFlight.end();

        assertThat(inFlight.awaitNone(Duration.ofHours(1))).isTrue();
    }

    @Test
    void waitThatRunsOutSaysThatSomethingIsLeft() throws InterruptedException {
        inFlight.begin();

        assertThat(inFlight.awaitNone(Duration.ZERO)).isFalse();
    }

    @Test
    void writesThatEndedBeforeDoNotEndTheWaitForOthers() throws InterruptedException {
        inFlight.begin();
        inFlight.end();
        inFlight.begin();

        assertThat(inFlight.awaitNone(Duration.ZERO)).isFalse();
    }

    @Test
    void waitEndsWithTheLastWrite() throws InterruptedException {
        inFlight.begin();
        inFlight.begin();
        CompletableFuture<Void> replies =
                CompletableFuture.runAsync(inFlight::end).thenRunAsync(inFlight::end);

        assertThat(inFlight.awaitNone(Duration.ofHours(1))).isTrue();
        assertThat(inFlight.writes()).isZero();
        assertThat(replies).isNotCompletedExceptionally();
    }
}
