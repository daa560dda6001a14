package dev.kvorum.node.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvorum.node.deadline.Deadlines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PaceTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private long nanos;
    private final Deadlines deadlines = new Deadlines(() -> nanos, () -> {});
    private final Pace pace = new Pace(1000, deadlines);

    /** A millisecond for each KiB, and what a turn costs besides. */
    private Pace resting() {
        return new Pace(1L << 40, () -> MILLI, deadlines);
    }

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
    void turnsThatCostARestAreGivenOutOneAfterTheOther() {
        Pace resting = resting();
        List<CompletableFuture<?>> turns = IntStream.range(0, 3)
                .<CompletableFuture<?>>mapToObj(i -> resting.ready().toFuture())
                .toList();

        assertThat(turns).map(CompletableFuture::isDone).containsExactly(true, false, false);

        pass(Duration.ofMillis(9));
        assertThat(turns).map(CompletableFuture::isDone).containsExactly(true, true, false);

        pass(Duration.ofMillis(9));
        assertThat(turns.getLast()).isCompleted();
    }

    @Test
    void whatIsSpentCostsItsRest() {
        Pace resting = resting();
        assertThat(resting.ready().toFuture()).isCompleted();
        long before = resting.debtNanos();

        resting.spend(4 << 10);

        assertThat(resting.debtNanos() - before).isCloseTo(4 * MILLI, within(MILLI));
    }

    /** Calls are refused while more is owed than their callers would wait for. */
    @Test
    void muchAtOnceCostsNoLongerRestThanATurnOrTwo() {
        Pace resting = resting();
        assertThat(resting.ready().toFuture()).isCompleted();

        resting.spend(4 << 20);

        assertThat(resting.debtNanos()).isLessThan(25 * MILLI);
    }

    /** Else those who come again and again, as their patience ends, would keep everybody from ever having a turn. */
    @Test
    void turnThatIsNotWaitedForCostsNothing() {
        Pace resting = resting();
        assertThat(resting.ready().toFuture()).isCompleted();
        long debt = resting.debtNanos();

        for (int i = 0; i < 100; i++) {
            resting.ready().subscribe().dispose();
        }

        assertThat(resting.debtNanos()).isEqualTo(debt);
    }

    @Test
    void turnsThatCostNothingAreAllGivenAtOnce() {
        for (int i = 0; i < 100; i++) {
            assertThat(pace.ready().toFuture()).isCompleted();
        }
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

    @Test
    void debtWithinTheToleranceIsNotWaitedFor() {
        pace.spend(5);
        assertThat(pace.ready().toFuture()).isCompleted();

        pace.spend(1);
        assertThat(pace.ready().toFuture()).isNotDone();
    }

    @Test
    void restOfWhatIsSpentIsExactlyThatOfItsSize() {
        Pace resting = new Pace(1024, () -> MILLI, deadlines);

        resting.spend(2 << 10);

        assertThat(resting.debtNanos()).isEqualTo(2000 * MILLI + 2 * MILLI);
    }
}
