package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ControlledDelayTest {
    private static final long BURST = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long STANDING = TimeUnit.MILLISECONDS.toNanos(ControlledDelay.STANDING_MILLIS_MAX);
    private static final long BEGIN = TimeUnit.SECONDS.toNanos(1);

    private final ControlledDelay delay = new ControlledDelay(Duration.ofNanos(BURST));

    @Test
    void operationsWaitLongInABurstAndBrieflyInAQueueThatStands() {
        delay.full(BEGIN);

        assertThat(delay.waitMax(BEGIN + BURST - 1, false)).isEqualTo(BURST);
        assertThat(delay.stands(BEGIN + BURST - 1)).isFalse();
        assertThat(delay.waitMax(BEGIN + BURST, false)).isEqualTo(STANDING);
        assertThat(delay.stands(BEGIN + BURST)).isTrue();
    }

    @Test
    void whereTheLoopIsBusyOperationsAlwaysWaitAsInABurst() {
        delay.full(BEGIN);

        assertThat(delay.waitMax(BEGIN + 2 * BURST, true)).isEqualTo(BURST);
    }

    @Test
    void aBurstBeginsWhenTheFirstHasToWait() {
        delay.full(BEGIN);
        delay.full(BEGIN + BURST - 1);

        assertThat(delay.stands(BEGIN + BURST)).isTrue();
    }

    @Test
    void afterThereWasRoomTheNextBurstBegins() {
        delay.full(BEGIN);
        delay.room();

        delay.full(BEGIN + BURST);

        assertThat(delay.stands(BEGIN + BURST)).isFalse();
    }

    @Test
    void nobodyWaitsLongerThanABurstMayLast() {
        ControlledDelay brief = new ControlledDelay(Duration.ofMillis(1));
        brief.full(BEGIN);

        assertThat(brief.waitMax(BEGIN + BURST, false)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Test
    void restEndsWhenTheQueueBeginsToStand() {
        delay.full(BEGIN);

        assertThat(delay.untilStanding(BURST, BEGIN + 10)).isEqualTo(BURST - 10);
        assertThat(delay.untilStanding(5, BEGIN + 10)).isEqualTo(5);
        assertThat(delay.untilStanding(STANDING, BEGIN + BURST)).isEqualTo(STANDING);
    }
}
