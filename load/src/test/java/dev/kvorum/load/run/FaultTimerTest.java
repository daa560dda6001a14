package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.load.scenario.FaultPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class FaultTimerTest {
    private static final String TOO_SHORT = "DURATION is too short";
    private final CompletableFuture<Thread> faultThread = new CompletableFuture<>();

    @Test
    void faultThatFailedSaysWhyAndNotThatTheLoadWasTooShort() throws Exception {
        try (FaultTimer timer = started(Duration.ZERO, plan -> {
            throw new IOException("scaling.log says why");
        })) {
            faultThread.join().join();

            assertThatThrownBy(timer::failIfFailed)
                    .hasMessageContaining("scaling.log says why")
                    .hasMessageNotContaining(TOO_SHORT);
        }
    }

    @Test
    void faultThatFailedByAnErrorSaysSo() throws Exception {
        try (FaultTimer timer = started(Duration.ZERO, plan -> {
            throw new NoClassDefFoundError("dev/kvorum/Missing");
        })) {
            faultThread.join().join();

            assertThatThrownBy(timer::failIfFailed)
                    .hasMessageContaining("dev/kvorum/Missing")
                    .hasMessageNotContaining(TOO_SHORT);
        }
    }

    @Test
    void loadThatEndsBeforeTheFaultsTimeIsTooShort() {
        try (FaultTimer timer = started(Duration.ofDays(1), plan -> Befallen.lasting())) {
            assertThatThrownBy(timer::failIfFailed)
                    .hasMessageContaining("before the time of the fault")
                    .hasMessageContaining(TOO_SHORT);
        }
    }

    @Test
    void loadThatEndsBeforeTheChangeIsOverIsTooShortOrTheChangeHeldUp() {
        CountDownLatch never = new CountDownLatch(1);
        try (FaultTimer timer = started(Duration.ZERO, plan -> {
            never.await();
            return Befallen.lasting();
        })) {
            faultThread.join();

            assertThatThrownBy(timer::failIfFailed)
                    .hasMessageContaining("was over")
                    .hasMessageContaining(TOO_SHORT)
                    .hasMessageContaining("scaling.log");
        }
    }

    @Test
    void faultThatBefellIsTold() throws Exception {
        Befallen befallen = Befallen.lasting();
        try (FaultTimer timer = started(Duration.ZERO, plan -> befallen)) {
            faultThread.join().join();

            assertThatCode(timer::failIfFailed).doesNotThrowAnyException();
            assertThat(timer.befallen()).contains(befallen);
        }
    }

    private FaultTimer started(Duration at, FaultTimer.Event event) {
        return FaultTimer.start(
                Optional.of(new FaultPlan.Scaled(2, false, at)),
                plan -> {
                    faultThread.complete(Thread.currentThread());
                    return event.befall(plan);
                },
                () -> {});
    }
}
