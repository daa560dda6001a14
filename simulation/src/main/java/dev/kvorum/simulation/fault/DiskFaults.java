package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.disk.DiskFault;
import dev.kvorum.simulation.disk.SimulatedDisk;
import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;

/** Disks that are slow, full or broken for a time. */
final class DiskFaults {
    private static final long DELAY_MIN = 1_000_000;
    private static final long DELAY_MAX = 5_000_000_000L;
    private static final double FILE_GONE = 0.3;

    private DiskFaults() {}

    private static Fault on(String node, DiskFault fault, Cluster cluster, String words) {
        SimulatedDisk disk = cluster.machine(node).disk();
        return new Fault("disk of " + node + " " + words, () -> disk.begin(fault), () -> disk.end(fault));
    }

    static Fault slow(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        long delay = chance.spread(DELAY_MIN, DELAY_MAX);
        return on(node, DiskFault.slow(delay), cluster, "takes up to " + delay / 1_000_000 + " ms more");
    }

    static Fault failingWrites(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return on(node, DiskFault.failingWrites(chance.fraction()), cluster, "fails some writes");
    }

    static Fault full(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return on(node, DiskFault.failingWrites(1), cluster, "is full");
    }

    static Fault flippedBit(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        double which = chance.fraction();
        double where = chance.fraction();
        return new Fault(
                "a bit of a cell on the disk of " + node + " flips", () -> cluster.rot(node, which, where), () -> {});
    }

    /** A volatile cache that says that it is none. What it has said is not true where the power fails. */
    static Fault lying(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        SimulatedDisk disk = cluster.machine(node).disk();
        return new Fault(
                "syncs of the disk of " + node + " lie, and in the end its machine loses power",
                () -> disk.begin(DiskFault.lying()),
                () -> {
                    cluster.losePower(node);
                    disk.end(DiskFault.lying());
                    cluster.start(node);
                });
    }

    static Fault damagedLog(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        double how = chance.is(FILE_GONE) ? 2 : chance.fraction();
        return new Fault(
                how > 1 ? "a file of the database of " + node + " is gone" : "the log of " + node + " is damaged",
                () -> cluster.damageLog(node, how),
                () -> cluster.start(node));
    }

    static Fault misdirectedWrite(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        double which = chance.fraction();
        return new Fault(
                "a cell on the disk of " + node + " is overwritten with another",
                () -> cluster.misdirect(node, which),
                () -> {});
    }

    /** Somebody restores the machine from a snapshot. */
    static Fault older(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return new Fault(
                "a copy is made of the disk of " + node + ", and put back at the end",
                () -> cluster.copyDisk(node),
                () -> cluster.putBackDisk(node));
    }

    static Fault failingReads(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        return on(node, DiskFault.failingReads(chance.fraction()), cluster, "fails some reads");
    }
}
