package dev.kvorum.load.chaos;

import dev.kvorum.load.chaos.fault.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How a run of chaos is to be.
 *
 * @param seed    decides the schedule of faults, and what clients ask for
 * @param length  of load and faults
 * @param size    of the cluster and of the load
 * @param faults  kinds of them that come
 * @param nodeJar the node
 * @param folder  where everything goes that remains of the run
 */
public record ChaosOptions(long seed, Duration length, Size size, List<FaultKind> faults, Path nodeJar, Path folder) {
    /**
     * How much there is.
     *
     * @param nodes at the beginning
     * @param rate  operations that clients begin per second, not counting what they try again
     */
    public record Size(int nodes, int rate) {}

    public ChaosOptions {
        faults = List.copyOf(faults);
    }

    /** Kinds of faults that were asked for by name: none where all kinds come. */
    Set<FaultKind> named() {
        EnumSet<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        kinds.addAll(faults);
        return kinds.size() == FaultKind.values().length ? Set.of() : kinds;
    }

    /** The same with its results there. */
    public ChaosOptions in(Path folder) {
        return new ChaosOptions(seed, length, size, faults, nodeJar, folder);
    }
}
