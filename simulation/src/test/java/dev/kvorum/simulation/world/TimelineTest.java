package dev.kvorum.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.simulation.world.Timeline.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private final Timeline timeline = new Timeline();
    private final List<String> happened = new ArrayList<>();

    private Event plan(long after, String what) {
        return timeline.after(after, () -> happened.add(what + " at " + timeline.now()));
    }

    @Test
    void eventsHappenInTheOrderOfTheirTimes() {
        plan(20, "second");
        plan(10, "first");

        timeline.runUntil(30);

        assertThat(happened).containsExactly("first at 10", "second at 20");
        assertThat(timeline.now()).isEqualTo(30);
    }

    @Test
    void eventsOfOneInstantHappenInTheOrderInWhichTheyWerePlanned() {
        plan(5, "first");
        plan(5, "second");

        timeline.runUntil(5);

        assertThat(happened).containsExactly("first at 5", "second at 5");
    }

    @Test
    void laterEventsWait() {
        plan(11, "later");

        timeline.runUntil(10);
        assertThat(happened).isEmpty();

        timeline.runUntil(11);
        assertThat(happened).hasSize(1);
    }

    @Test
    void eventMayPlanAnother() {
        timeline.after(1, () -> plan(1, "next"));

        timeline.runUntil(2);

        assertThat(happened).containsExactly("next at 2");
    }

    @Test
    void cancelledEventDoesNotHappen() {
        plan(1, "cancelled").cancel();

        timeline.runUntil(2);

        assertThat(happened).isEmpty();
        assertThat(timeline.happened()).isZero();
    }

    @Test
    void anotherThreadIsTurnedAway() {
        FutureTask<Event> elsewhere = new FutureTask<>(() -> plan(1, "from elsewhere"));

        Thread.ofPlatform().start(elsewhere);

        assertThatThrownBy(elsewhere::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("nothing can be replayed");
    }
}
