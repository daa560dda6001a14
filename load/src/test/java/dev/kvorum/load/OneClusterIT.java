package dev.kvorum.load;

import static org.assertj.core.api.Assertions.as;
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
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds that take turns on one cluster of three real node processes. */
@Tag("check")
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

    @BeforeEach
    void nodeIsBuilt() {
        assertThat(NODE_JAR).as("the node's jar, which make build makes").isReadable();
    }

    @Test
    void everyRoundHasTheDelayOfItsVariantOnTheClusterThatWasFilledOnce() throws Exception {
        ScenarioRun run = run(SCENARIO, phases::add);

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

    /** At {@code 2/3} no request would tell of it, and all rounds to come would be of two nodes. */
    @Test
    void nodeThatEndsIsTheEndOfTheRun() throws Exception {
        ScenarioRun run = run(SCENARIO.replace("ack: 3", "ack: 2"), phase -> {
            if (phase.equals("slow 1/2 measures")) {
                killNode3();
            }
        });

        List<RoundResult> rounds = run.run();

        assertThat(rounds).extracting(RoundResult::variant).containsExactly("well");
        assertThat(run.failures())
                .singleElement(as(InstanceOfAssertFactories.STRING))
                .startsWith("slow, round 1, could not be run: n3 has ended, its log says why")
                .contains("3 rounds are missing");
    }

    private static void killNode3() {
        List<ProcessHandle> found = ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains("--kvorum.node-id=n3"))
                .toList();
        assertThat(found).hasSize(1);
        found.getFirst().destroyForcibly();
    }

    private ScenarioRun run(String yaml, Consumer<String> eachPhase) {
        NodeBuilds builds = new NodeBuilds(NODE_JAR, Path.of("experiments"), NODE_JAR.resolveSibling("experiments"));
        Progress progress = new Progress() {
            @Override
            public void phase(String what) {
                eachPhase.accept(what);
            }

            @Override
            public void second(TimedSlice slice) {
                // Nobody watches a test.
            }
        };
        return new ScenarioRun(
                ScenarioFile.parse("test", yaml), new BenchOptions(builds, folder, false, false), progress);
    }
}
