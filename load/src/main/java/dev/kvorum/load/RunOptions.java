package dev.kvorum.load;

import dev.kvorum.load.run.BenchOptions;
import dev.kvorum.load.run.NodeBuilds;
import dev.kvorum.load.scenario.InvalidScenario;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.Variant;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a scenario is run, whichever it is. */
final class RunOptions {
    @Mixin
    private NodeOptions node = new NodeOptions();

    @Option(
            names = "--experiments",
            paramLabel = "DIR",
            defaultValue = "node/target/experiments",
            description = "The builds of load/experiments; ${DEFAULT-VALUE} unless said.")
    private Path experiments = Path.of("");

    @Option(names = "--keep", description = "Leaves the nodes' data behind, in the temporary directory.")
    private boolean keepsData;

    @Option(names = "--flames", description = "Takes CPU, allocation and lock flame graphs of each node.")
    private boolean flames;

    Path results() {
        return node.results();
    }

    /** @throws InvalidScenario if a build that the scenario needs is missing */
    NodeBuilds builds(Scenario scenario) throws IOException {
        NodeBuilds builds = new NodeBuilds(node.jar(), Path.of("load", "experiments"), experiments.toAbsolutePath());
        for (Variant variant : scenario.variants()) {
            var _ = builds.jar(variant.cluster());
        }
        return builds;
    }

    BenchOptions in(Path folder, NodeBuilds builds) {
        return new BenchOptions(builds, folder, keepsData, flames);
    }
}
