package dev.kvorum.e2e.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * What a cluster is to be like.
 *
 * @param image what the nodes run
 * @param nodes how many there are, 1 to 16
 * @param spares how many containers more may join, with addresses but not started
 * @param replicationFactor copies of a key
 * @param memoryMib limit of each container, in MiB; there is no swap
 * @param settings options of every node, as on the command line but for the dashes before
 * @param proxied whether nodes reach each other through Toxiproxy
 * @param clocksCanSkew whether the clocks of nodes can be set apart
 * @param diskMib size of the disk of each node in MiB, which is memory then; 0 for a volume as large as the machine's
 * @param healthChecked whether the engine carries out the health check of the image
 */
public record ClusterSpec(
        String image,
        int nodes,
        int spares,
        int replicationFactor,
        int memoryMib,
        List<String> settings,
        boolean proxied,
        boolean clocksCanSkew,
        int diskMib,
        boolean healthChecked) {
    private static final int MEMORY_MIB_DEFAULT = 512;
    /** Machines that run all of a cluster stand still for seconds at times, which no node is to blame for. Those on Kubernetes have the same ({@code e2e/images/Dockerfile.patient}). */
    private static final List<String> PATIENT = List.of("kvorum.peer.timeout=8s", "kvorum.quorum.deadline=9s");

    public ClusterSpec {
        settings = List.copyOf(settings);
    }

    /**
     * That many nodes as users would run them, but for longer time-outs, and for the health check: a JVM every 10 s for each of eight nodes is more than two processors should be
     * asked for.
     */
    public static ClusterSpec ofNodes(int nodes) {
        return new ClusterSpec(
                Engine.nodeImage(), nodes, 0, Math.min(3, nodes), MEMORY_MIB_DEFAULT, PATIENT, false, false, 0, false);
    }

    /** Of the image with a shell. */
    public ClusterSpec ofDebugImage() {
        return new ClusterSpec(
                Engine.nodeImage() + "-debug",
                nodes,
                spares,
                replicationFactor,
                memoryMib,
                settings,
                proxied,
                clocksCanSkew,
                diskMib,
                healthChecked);
    }

    public ClusterSpec withSpares(int more) {
        return new ClusterSpec(
                image,
                nodes,
                more,
                replicationFactor,
                memoryMib,
                settings,
                proxied,
                clocksCanSkew,
                diskMib,
                healthChecked);
    }

    public ClusterSpec withReplicationFactor(int copies) {
        return new ClusterSpec(
                image, nodes, spares, copies, memoryMib, settings, proxied, clocksCanSkew, diskMib, healthChecked);
    }

    /** @param option as {@code kvorum.hints.age-max=1m}, instead of another value of the same */
    public ClusterSpec with(String option) {
        List<String> all = new ArrayList<>(settings);
        String name = option.substring(0, option.indexOf('=') + 1);
        all.removeIf(present -> present.startsWith(name));
        all.add(option);
        return new ClusterSpec(
                image,
                nodes,
                spares,
                replicationFactor,
                memoryMib,
                all,
                proxied,
                clocksCanSkew,
                diskMib,
                healthChecked);
    }

    public ClusterSpec behindProxies() {
        return new ClusterSpec(
                image,
                nodes,
                spares,
                replicationFactor,
                memoryMib,
                settings,
                true,
                clocksCanSkew,
                diskMib,
                healthChecked);
    }

    public ClusterSpec withClocksThatCanSkew() {
        return new ClusterSpec(
                image, nodes, spares, replicationFactor, memoryMib, settings, proxied, true, diskMib, healthChecked);
    }

    public ClusterSpec withDisksOfMib(int mib) {
        return new ClusterSpec(
                image,
                nodes,
                spares,
                replicationFactor,
                memoryMib,
                settings,
                proxied,
                clocksCanSkew,
                mib,
                healthChecked);
    }

    public ClusterSpec withHealthChecks() {
        return new ClusterSpec(
                image, nodes, spares, replicationFactor, memoryMib, settings, proxied, clocksCanSkew, diskMib, true);
    }
}
