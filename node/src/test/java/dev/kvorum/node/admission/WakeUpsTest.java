package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WakeUpsTest implements GateListener {
    private static final long ROOM = TimeUnit.MILLISECONDS.toNanos(WakeUps.ROOM_MILLIS);

    private long now = TimeUnit.SECONDS.toNanos(1);
    private int limit = 3;
    private boolean othersRest = true;
    private final List<Integer> rooms = new ArrayList<>();
    private final Limiter limiter = new Limiter(() -> limit, new LoopLoad(() -> now, () -> 0, () -> {}));
    private final WakeUps wakeUps = new WakeUps(limiter, () -> now, this);

    @Override
    public boolean room(int more) {
        rooms.add(more);
        return othersRest;
    }

    @Override
    public void waited(long nanos) {}

    @Override
    public void waitedInVain(long nanos) {}

    @Test
    void whereNobodyHasWaitedNobodyIsCalled() {
        wakeUps.ended();

        assertThat(rooms).isEmpty();
    }

    @Test
    void clientsAreCalledWhenNobodyHasWaitedForAWhile() {
        wakeUps.press(now);
        now += ROOM - 1;
        wakeUps.ended();
        assertThat(rooms).isEmpty();

        now++;
        wakeUps.ended();

        assertThat(rooms).containsExactly(1);
    }

    @Test
    void twiceAsManyAreCalledEachTimeUntilSomebodyWaitsAgain() {
        wakeUps.press(now);
        for (int i = 0; i < 3; i++) {
            now += ROOM;
            wakeUps.ended();
        }
        wakeUps.press(now);
        now += ROOM;
        wakeUps.ended();

        assertThat(rooms).containsExactly(1, 2, 4, 1);
    }

    @Test
    void asManyAreCalledAsAPartOfTheRoom() {
        limit = 160;
        wakeUps.press(now);
        now += ROOM;

        wakeUps.ended();

        assertThat(rooms).containsExactly(10);
    }

    @Test
    void nobodyIsCalledWhereThereIsNoRoom() {
        wakeUps.press(now);
        now += ROOM;
        for (int i = 0; i < limit; i++) {
            limiter.begun();
        }

        wakeUps.ended();

        assertThat(rooms).isEmpty();
    }

    @Test
    void nobodyIsCalledAnyMoreWhenNobodyRests() {
        othersRest = false;
        wakeUps.press(now);
        now += ROOM;
        wakeUps.ended();
        now += ROOM;

        wakeUps.ended();

        assertThat(rooms).hasSize(1);
    }
}
