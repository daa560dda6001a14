package dev.kvorum.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.LifeScheduler;
import dev.kvorum.simulation.world.MachineClock;
import dev.kvorum.simulation.world.ProcessLife;
import dev.kvorum.simulation.world.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** When it is a bug that a request has no outcome. */
class ClientRequestsTest {
    private static final long DEADLINE = Duration.ofMillis(100).toNanos();
    private static final Request READ = new Request(Kind.READ, Mode.QUORUM, "k", null, 2, 3);

    private final Timeline timeline = new Timeline();
    private final ProcessLife life = new ProcessLife(timeline, new MachineClock(timeline), 1);
    private final Deadlines deadlines = new Sweeper(life, Chance.of(1)).deadlines();
    private final Bugs bugs = new Bugs();
    private final ClientRequests requests = new ClientRequests("n1", DEADLINE, bugs);
    private final List<Answer> answers = new ArrayList<>();

    private void serve(Mono<Answer> outcome) {
        requests.serve(life, READ, outcome, answers::add);
    }

    /** What ends at the deadline that was set at the beginning, whenever it is asked for. */
    private Mono<Answer> failedAtTheDeadline() {
        return Mono.defer(() -> deadlines.after(DEADLINE - deadlines.now())).thenReturn(Answer.failed());
    }

    private void freezeFrom(long begin, long end) {
        timeline.runUntil(begin);
        life.freeze();
        timeline.runUntil(end);
        life.thaw();
    }

    @Test
    void outcomeAtTheDeadlineIsInTime() {
        serve(failedAtTheDeadline());

        timeline.runUntil(5 * DEADLINE);

        assertThat(answers).containsExactly(Answer.failed());
        assertThat(bugs.found()).isEmpty();
    }

    @Test
    void noOutcomeLongAfterTheDeadlineIsABug() {
        serve(Mono.never());

        timeline.runUntil(2 * DEADLINE);

        assertThat(bugs.found()).hasSize(1);
    }

    /** A reply that came while it was frozen has the read mend others first, by the same deadline: that wakes the sweeper anew. */
    @Test
    void processThatGoesOnLongAfterTheDeadlineIsGivenTheTimeToEndWhatIsLate() {
        var _ = deadlines.after(DEADLINE).subscribe();
        serve(Mono.delay(Duration.ofNanos(DEADLINE / 2), new LifeScheduler(life))
                .then(failedAtTheDeadline()));

        freezeFrom(DEADLINE / 4, 3 * DEADLINE);
        timeline.runUntil(10 * DEADLINE);

        assertThat(answers).containsExactly(Answer.failed());
        assertThat(bugs.found()).isEmpty();
    }

    @Test
    void noOutcomeLongAfterTheProcessWentOnIsABug() {
        serve(Mono.never());

        freezeFrom(DEADLINE / 4, 3 * DEADLINE);
        timeline.runUntil(4 * DEADLINE - 1);
        assertThat(bugs.found()).isEmpty();

        timeline.runUntil(4 * DEADLINE);
        assertThat(bugs.found()).hasSize(1);
    }
}
