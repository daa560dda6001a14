package dev.kvorum.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.run.BenchOptions;
import dev.kvorum.load.run.NodeBuilds;
import dev.kvorum.load.run.Progress;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.run.ScenarioRun;
import dev.kvorum.load.scenario.ScenarioFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds that take turns on one cluster of three real node processes. */
class OneClusterIT {
    private static final Path NODE_JAR =
            Path.of("..", "node", "target", "kvorum-node.jar").toAbsolutePath().normalize();
    private static final double DELAY_MILLIS = 400; // Answers of a node that has just started take a tenth of it.
    private static final String SCENARIO = """
            title: Well and slow in turn
            why: Each round is to be as its variant says, whatever came before it.
            nodes: 3
            rounds: 2
            one-cluster: true
            load: {mix: {PUT: 1}, ack: 3, keys: 100, rate: 50, warm-up: 2s, settling: 2s, duration: 4s}
            variants:
              - {name: well, what: Well, fault: {slow: {node: 3, delay: 0s}}}
              - {name: slow, what: Slow, fault: {slow: {node: 3, delay: 400ms}}}
            """;

    @TempDir
    Path folder;

    private final List<String> phases = new CopyOnWriteArrayList<>();

    @Test
    void everyRoundHasTheDelayOfItsVariantOnTheClusterThatWasFilledOnce() throws Exception {
        assertThat(NODE_JAR).as("the node's jar, which make build makes").isReadable();
        NodeBuilds builds = new NodeBuilds(NODE_JAR, Path.of("experiments"), NODE_JAR.resolveSibling("experiments"));
        ScenarioRun run = new ScenarioRun(
                ScenarioFile.parse("test", SCENARIO), new BenchOptions(builds, folder, false, false), watched());

        List<RoundResult> rounds = run.run();

        assertThat(run.failures()).isEmpty();
        assertThat(phases)
                .containsExactly(
                        "starts 3 nodes for all rounds",
                        "well 1/2 fills 100 keys",
                        "well 1/2 warms up",
                        "slow 1/2 warms up",
                        "well 1/2 settles",
                        "well 1/2 measures",
                        "slow 1/2 settles",
                        "slow 1/2 measures",
                        "well 2/2 settles",
                        "well 2/2 measures",
                        "slow 2/2 settles",
                        "slow 2/2 measures");
        assertThat(rounds).extracting(RoundResult::variant).containsExactly("well", "slow", "well", "slow");
        assertThat(rounds).extracting(RoundResult::round).containsExactly(1, 1, 2, 2);
        assertThat(rounds)
                .allSatisfy(
                        round -> assertThat(round.figures().get(Metric.ERRORS)).hasValue(0.0));
        for (RoundResult round : rounds) {
            double p50 = round.figures().get(Metric.P50).orElseThrow();
            if (round.variant().equals("well")) {
                assertThat(p50).isLessThan(DELAY_MILLIS);
            } else {
                assertThat(p50).isGreaterThanOrEqualTo(DELAY_MILLIS);
            }
        }
        assertThat(folder.resolve("nodes").resolve("all").resolve("n3.log")).isNotEmptyFile();
    }

    private Progress watched() {
        return new Progress() {
            @Override
            public void phase(String what) {
                phases.add(what);
            }

            @Override
            public void second(TimedSlice slice) {
                // Nobody watches a test.
            }
        };
    }
}
