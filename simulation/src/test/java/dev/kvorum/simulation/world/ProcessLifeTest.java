package dev.kvorum.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessLifeTest {
    private final Timeline timeline = new Timeline();
    private final MachineClock clock = new MachineClock(timeline);
    private final ProcessLife life = new ProcessLife(timeline, clock, 1);
    private final List<String> done = new ArrayList<>();

    private Runnable does(String what) {
        return () -> done.add(what);
    }

    @Test
    void nothingHappensAfterItsEnd() {
        life.after(10, does("later"));

        life.end();
        life.run(does("at once"));
        timeline.runUntil(20);

        assertThat(done).isEmpty();
    }

    @Test
    void frozenItDoesNothingAndThenAllInTheOrderOfTime() {
        life.freeze();
        life.after(10, does("second"));
        life.run(does("first"));
        timeline.runUntil(20);
        assertThat(done).isEmpty();

        life.thaw();
        life.after(0, does("third"));
        timeline.runUntil(20);

        assertThat(done).containsExactly("first", "second", "third");
    }

    @Test
    void whoDiesFrozenNeverDoesWhatWaited() {
        life.freeze();
        life.run(does("waits"));

        life.end();
        life.thaw();
        timeline.runUntil(1);

        assertThat(done).isEmpty();
    }

    @Test
    void delaysAreByItsOwnClock() {
        clock.run(0.5);
        life.after(10, does("slowly"));

        timeline.runUntil(19);
        assertThat(done).isEmpty();

        timeline.runUntil(20);
        assertThat(done).hasSize(1);
    }

    @Test
    void schedulerRepeatsUntilItIsDisposedOf() {
        LifeScheduler scheduler = new LifeScheduler(life);
        var task = scheduler.schedulePeriodically(does("again"), 5, 10, TimeUnit.NANOSECONDS);

        timeline.runUntil(26);
        task.dispose();
        timeline.runUntil(100);

        assertThat(done).hasSize(3);
    }

    @Test
    void disposedSchedulerDoesNothingMore() {
        LifeScheduler scheduler = new LifeScheduler(life);
        var _ = scheduler.schedule(does("once"), 5, TimeUnit.NANOSECONDS);

        scheduler.dispose();
        timeline.runUntil(10);

        assertThat(done).isEmpty();
    }
}
