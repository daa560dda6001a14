package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;

/** Processes and machines that end, and come back. */
final class ProcessFaults {
    private static final long ABSENCE_MIN = 5_000_000_000L;
    private static final long ABSENCE_MAX = 40_000_000_000L;

    private ProcessFaults() {}

    static Fault kill(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return new Fault("process of " + node + " is killed", () -> cluster.kill(node), () -> cluster.start(node));
    }

    /** Long enough for members to change meanwhile. */
    static Fault absence(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        long nanos = chance.spread(ABSENCE_MIN, ABSENCE_MAX);
        return new Fault(
                "process of " + node + " is killed, and not there for " + nanos / 1_000_000_000 + " s",
                () -> {
                    cluster.kill(node);
                    var _ = cluster.world().timeline().after(nanos, () -> cluster.start(node));
                },
                () -> {});
    }

    static Fault restart(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return new Fault(node + " is stopped in order", () -> cluster.stop(node), () -> cluster.start(node));
    }

    static Fault freeze(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return new Fault(node + " is frozen", () -> cluster.freeze(node), () -> cluster.thaw(node));
    }

    static Fault powerLoss(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return new Fault(
                "machine of " + node + " loses power", () -> cluster.losePower(node), () -> cluster.start(node));
    }

    static Fault diskLoss(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return new Fault(
                "machine of " + node + " loses its disk", () -> cluster.loseDisk(node), () -> cluster.start(node));
    }
}
