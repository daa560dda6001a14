package dev.kvorum.load;

import dev.kvorum.load.scenario.InvalidScenario;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which node runs, and where the results go. */
final class NodeOptions {
    @Option(
            names = "--node-jar",
            paramLabel = "FILE",
            defaultValue = "node/target/kvorum-node.jar",
            description = "The node's jar; ${DEFAULT-VALUE} unless said.")
    private Path jar = Path.of("");

    @Option(
            names = "--results",
            paramLabel = "DIR",
            defaultValue = "load/results",
            description = "Gets a folder with what remains of the run; ${DEFAULT-VALUE} unless said.")
    private Path results = Path.of("");

    Path jar() {
        if (!Files.isReadable(jar)) {
            throw new InvalidScenario("There is no node jar " + jar.toAbsolutePath() + ": make build makes it.");
        }
        return jar.toAbsolutePath();
    }

    Path results() {
        return results;
    }
}
