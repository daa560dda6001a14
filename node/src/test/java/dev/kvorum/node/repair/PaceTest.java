package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.deadline.Deadlines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PaceTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private long nanos;
    private final Deadlines deadlines = new Deadlines(() -> nanos, () -> {});
    private final Pace pace = new Pace(1000, deadlines);

    private void pass(Duration time) {
        nanos += time.toNanos();
        var _ = deadlines.sweep();
    }

    @Test
    void whatIsSpentIsPaidOffAtTheRate() {
        pace.spend(500);
        CompletableFuture<?> ready = pace.ready().toFuture();

        pass(Duration.ofMillis(490));
        assertThat(ready).isNotDone();

        pass(Duration.ofMillis(20));
        assertThat(ready).isCompleted();
    }

    @Test
    void pauseIsNotSavedUp() {
        pass(Duration.ofHours(1));
        pace.spend(500);

        assertThat(pace.debtNanos()).isEqualTo(500 * MILLI);
        assertThat(pace.ready().toFuture()).isNotDone();
    }

    @Test
    void nothingWaitsForWhatIsPaidInAMoment() {
        pace.spend(2);

        assertThat(pace.ready().toFuture()).isCompleted();
        assertThat(pace.debtNanos()).isEqualTo(2 * MILLI);
    }

    @Test
    void rateHoldsOverManySpenders() {
        int done = 0;
        long end = nanos + Duration.ofSeconds(100).toNanos();
        while (nanos < end) {
            if (pace.ready().toFuture().isDone()) {
                pace.spend(100);
                done++;
            }
            pass(Duration.ofMillis(7));
        }

        assertThat(done).isBetween(900, 1001);
    }
}
