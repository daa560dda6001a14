package dev.kvorum.load.chaos;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a run of chaos is to be.
 *
 * @param seed    decides the schedule of faults, and what clients ask for
 * @param length  of load and faults
 * @param nodes   at the beginning
 * @param rate    operations that clients begin per second, not counting what they try again
 * @param nodeJar the node
 * @param folder  where everything goes that remains of the run
 */
public record ChaosOptions(long seed, Duration length, int nodes, int rate, Path nodeJar, Path folder) {
    /** The same with its results there. */
    public ChaosOptions in(Path folder) {
        return new ChaosOptions(seed, length, nodes, rate, nodeJar, folder);
    }
}
