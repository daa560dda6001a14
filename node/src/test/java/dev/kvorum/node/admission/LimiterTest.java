package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LimiterTest {
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(LoopLoad.LOOK_MILLIS);

    private long now;
    private long worked;
    private int limit = 100;
    private final LoopLoad load = new LoopLoad(() -> now, () -> worked, () -> {});
    private final Limiter limiter = new Limiter(() -> limit, load);

    private void begin(int number) {
        for (int i = 0; i < number; i++) {
            limiter.begun();
        }
    }

    private void passBusy() {
        now += LOOK;
        worked += LOOK;
    }

    @Test
    void whereTheLoopIsIdleAsManyMayBeUnderWayAsThereIsMemoryFor() {
        begin(99);
        assertThat(limiter.hasRoom()).isTrue();
        assertThat(limiter.room()).isOne();

        begin(1);
        assertThat(limiter.hasRoom()).isFalse();
        assertThat(limiter.inFlight()).isEqualTo(100);
    }

    @Test
    void whereTheLoopIsBusyFewMayBeUnderWay() {
        passBusy();
        begin(Limiter.BUSY_LIMIT - 1);
        assertThat(limiter.hasRoom()).isTrue();

        begin(1);

        assertThat(limiter.hasRoom()).isFalse();
        assertThat(limiter.room()).isZero();
    }

    @Test
    void whereThereIsMemoryForFewerFewerMayBeUnderWayThoughTheLoopIsBusy() {
        limit = 3;
        passBusy();
        begin(2);
        assertThat(limiter.hasRoom()).isTrue();

        begin(1);

        assertThat(limiter.busyLimit()).isEqualTo(3);
        assertThat(limiter.hasRoom()).isFalse();
    }

    @Test
    void endMakesRoom() {
        begin(100);

        limiter.ended();

        assertThat(limiter.hasRoom()).isTrue();
    }

    @Test
    void whereMoreAreUnderWayThanMayBeTheRoomIsNegative() {
        begin(100);

        limit = 90;

        assertThat(limiter.room()).isEqualTo(-10);
    }
}
