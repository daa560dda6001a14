package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopLoadTest {
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(LoopLoad.LOOK_MILLIS);

    private long now;
    private long worked;
    private int idle;
    private final LoopLoad load = new LoopLoad(() -> now, () -> worked, () -> idle++);

    private void pass(long nanos, long busyNanos) {
        now += nanos;
        worked += busyNanos;
    }

    @Test
    void loopThatWorksNineTenthsOfTheTimeIsBusy() {
        pass(LOOK, LOOK * 9 / 10);
        assertThat(load.isBusyNow()).isTrue();

        pass(LOOK, LOOK * 9 / 10 - 1);
        assertThat(load.isBusyNow()).isFalse();
    }

    @Test
    void loadIsNotLookedAtAgainBeforeItsTime() {
        pass(LOOK, LOOK);
        load.look(now);
        pass(LOOK - 1, 0);

        assertThat(load.isBusyNow()).isTrue();
        pass(1, 0);
        assertThat(load.isBusyNow()).isFalse();
    }

    @Test
    void lookIsTakenOnlyWhenAskedForIt() {
        pass(LOOK, LOOK);

        assertThat(load.isBusy()).isFalse();
        load.look(now);
        assertThat(load.isBusy()).isTrue();
    }

    @Test
    void endOfABusyTimeIsToldOnce() {
        pass(LOOK, 0);
        load.look(now);
        assertThat(idle).isZero();
        pass(LOOK, LOOK);
        load.look(now);
        assertThat(idle).isZero();

        pass(LOOK, 0);
        load.look(now);
        pass(LOOK, 0);
        load.look(now);

        assertThat(idle).isOne();
    }
}
