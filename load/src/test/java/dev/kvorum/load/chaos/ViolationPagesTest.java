package dev.kvorum.load.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Copy;
import dev.kvorum.history.History;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import dev.kvorum.history.check.Anomaly;
import dev.kvorum.history.check.Checker;
import dev.kvorum.history.check.Promises;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViolationPagesTest {
    private static final String NEW = "01a1fe425028000076ff4071f97f69d2";
    private static final Operation WRITE = new Operation(
            1,
            "n1",
            1,
            new Request(Kind.WRITE, Mode.QUORUM, "cart", "w1+0", 2, 3),
            new Answer(Outcome.OK, null, NEW),
            0,
            10);
    private static final Operation MISSED = new Operation(
            2,
            "n2",
            1,
            new Request(Kind.READ, Mode.QUORUM, "cart", null, 2, 3),
            new Answer(Outcome.OK, null, null),
            20,
            30);

    @TempDir
    Path folder;

    @Test
    void pageShowsTheBrokenOperationsAmongAllOfTheirKey() throws Exception {
        History history =
                new History(List.of(MISSED, WRITE), List.of(), List.of(new Copy("n1", "cart", true, NEW, "w1+0")));
        List<Anomaly> anomalies = new Checker(Promises.ofPlainQuorums()).check(history);

        new ViolationPages(folder, history, anomalies).write();

        assertThat(anomalies).isNotEmpty();
        assertThat(folder.resolve("cart.html"))
                .content()
                .contains("stale read of key cart", "n1 holds \"w1+0\"", "class=\"ok broken\"")
                .containsSubsequence("<table>", WRITE.inWords(), MISSED.inWords());
    }

    @Test
    void goodHistoryHasNoPages() throws Exception {
        new ViolationPages(folder, History.of(WRITE), List.of()).write();

        assertThat(folder).isEmptyDirectory();
    }
}
