package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;
import java.util.List;

/** Processes and machines that end, and come back. */
final class ProcessFaults {
    private static final long ABSENCE_MIN = 5_000_000_000L;
    private static final long ABSENCE_MAX = 40_000_000_000L;

    private static final long STARTING_MAX = 2_000_000_000L;

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

    /** They start again one after the other, none of which must wait for the last. */
    static Fault blackout(Cluster cluster, Chance chance) {
        List<String> order = chance.shuffled(cluster.names());
        List<Long> delays =
                order.stream().map(name -> chance.from(0, STARTING_MAX)).toList();
        return new Fault("all machines lose power", cluster::blackOut, () -> {
            for (int i = 0; i < order.size(); i++) {
                String name = order.get(i);
                var _ = cluster.world().timeline().after(delays.get(i), () -> cluster.start(name));
            }
        });
    }

    static Fault diskLoss(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return new Fault(
                "machine of " + node + " loses its disk", () -> cluster.loseDisk(node), () -> cluster.start(node));
    }
}
