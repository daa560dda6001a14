package dev.kvorum.e2e.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * What a cluster is to be like.
 *
 * @param nodes how many there are, 1 to 16
 * @param spares how many containers more may join, with addresses but not started
 * @param replicationFactor copies of a key
 * @param memoryMib limit of each container, in MiB; there is no swap
 * @param settings options of every node, as on the command line but for the dashes before
 * @param proxied whether nodes reach each other through Toxiproxy
 * @param clocksCanSkew whether the clocks of nodes can be set apart
 * @param diskMib size of the disk of each node in MiB, which is memory then; 0 for a volume as large as the machine's
 */
public record ClusterSpec(
        int nodes,
        int spares,
        int replicationFactor,
        int memoryMib,
        List<String> settings,
        boolean proxied,
        boolean clocksCanSkew,
        int diskMib) {
    private static final int MEMORY_MIB_DEFAULT = 512;

    public ClusterSpec {
        settings = List.copyOf(settings);
    }

    /** That many nodes as users would run them. */
    public static ClusterSpec ofNodes(int nodes) {
        return new ClusterSpec(nodes, 0, Math.min(3, nodes), MEMORY_MIB_DEFAULT, List.of(), false, false, 0);
    }

    public ClusterSpec withSpares(int more) {
        return new ClusterSpec(nodes, more, replicationFactor, memoryMib, settings, proxied, clocksCanSkew, diskMib);
    }

    public ClusterSpec withReplicationFactor(int copies) {
        return new ClusterSpec(nodes, spares, copies, memoryMib, settings, proxied, clocksCanSkew, diskMib);
    }

    /** @param option as {@code kvorum.hints.age-max=1m} */
    public ClusterSpec with(String option) {
        List<String> all = new ArrayList<>(settings);
        all.add(option);
        return new ClusterSpec(nodes, spares, replicationFactor, memoryMib, all, proxied, clocksCanSkew, diskMib);
    }

    public ClusterSpec behindProxies() {
        return new ClusterSpec(nodes, spares, replicationFactor, memoryMib, settings, true, clocksCanSkew, diskMib);
    }

    public ClusterSpec withClocksThatCanSkew() {
        return new ClusterSpec(nodes, spares, replicationFactor, memoryMib, settings, proxied, true, diskMib);
    }

    public ClusterSpec withDisksOfMib(int mib) {
        return new ClusterSpec(nodes, spares, replicationFactor, memoryMib, settings, proxied, clocksCanSkew, mib);
    }
}
