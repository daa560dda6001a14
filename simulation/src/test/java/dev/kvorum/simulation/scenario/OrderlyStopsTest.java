package dev.kvorum.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node that is stopped in order ends when its writes have. */
class OrderlyStopsTest {
    private static final String KEY = "k";

    /** Found by seed 4043: the node was to start again before it had ended, and never did. */
    @Test
    void nodeThatIsStartedBeforeItHasEndedIsThereAfterwards() {
        Scenario scenario = new Scenario(1, 3);
        List<Answer> answers = new ArrayList<>();
        scenario.cluster.freeze("n2");
        scenario.cluster.freeze("n3");
        scenario.cluster.serve("n1", new Request(Kind.WRITE, Mode.QUORUM, KEY, "slow", 3, 3), true, answers::add);
        scenario.cluster.stop("n1");
        scenario.cluster.start("n1");
        assertThat(scenario.cluster.machine("n1").life()).isEqualTo(1);

        scenario.pass(Duration.ofSeconds(11));
        scenario.cluster.thaw("n2");
        scenario.cluster.thaw("n3");
        scenario.pass(Duration.ofSeconds(1));

        assertThat(answers).hasSize(1).noneMatch(Answer::isOk);
        assertThat(scenario.cluster.machine("n1").life()).isEqualTo(2);
        assertThat(scenario.write("n1", KEY, "quick", 3, 3).isOk()).isTrue();
    }
}
