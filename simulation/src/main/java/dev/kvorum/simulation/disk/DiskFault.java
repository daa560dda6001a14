package dev.kvorum.simulation.disk;

/**
 * What is wrong with a disk for a time. Several may be at once.
 *
 * @param delayMax how much longer anything takes at most, in nanoseconds
 * @param failedWrites how likely a commit fails
 * @param failedReads how likely a read fails
 * @param lies whether syncs bring nothing to the disk, and say that they do
 */
public record DiskFault(long delayMax, double failedWrites, double failedReads, boolean lies) {
    private static final DiskFault NONE = new DiskFault(0, 0, 0, false);

    public static DiskFault slow(long nanosMax) {
        return new DiskFault(nanosMax, 0, 0, false);
    }

    public static DiskFault failingWrites(double probability) {
        return new DiskFault(0, probability, 0, false);
    }

    public static DiskFault failingReads(double probability) {
        return new DiskFault(0, 0, probability, false);
    }

    public static DiskFault lying() {
        return new DiskFault(0, 0, 0, true);
    }

    static DiskFault all(Iterable<DiskFault> faults) {
        DiskFault sum = NONE;
        for (DiskFault fault : faults) {
            sum = new DiskFault(
                    Math.max(sum.delayMax, fault.delayMax),
                    Math.max(sum.failedWrites, fault.failedWrites),
                    Math.max(sum.failedReads, fault.failedReads),
                    sum.lies || fault.lies);
        }
        return sum;
    }
}
