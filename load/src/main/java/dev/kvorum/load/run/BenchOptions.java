package dev.kvorum.load.run;

import java.nio.file.Path;

/**
 * How to run a scenario, whichever it is.
 *
 * @param builds   of the node
 * @param folder   of this run's results
 * @param keepData leaves the nodes' data behind
 * @param flames   whether the nodes are profiled while they are measured
 */
public record BenchOptions(NodeBuilds builds, Path folder, boolean keepData, boolean flames) {
    Path logs() {
        return folder.resolve("nodes");
    }
}
