package dev.kvorum.simulation.disk;

/**
 * What is wrong with a disk for a time. Several may be at once.
 *
 * @param delayMax how much longer anything takes at most, in nanoseconds
 * @param failedWrites how likely a commit fails
 * @param failedReads how likely a read fails
 */
public record DiskFault(long delayMax, double failedWrites, double failedReads) {
    private static final DiskFault NONE = new DiskFault(0, 0, 0);

    public static DiskFault slow(long nanosMax) {
        return new DiskFault(nanosMax, 0, 0);
    }

    public static DiskFault failingWrites(double probability) {
        return new DiskFault(0, probability, 0);
    }

    public static DiskFault failingReads(double probability) {
        return new DiskFault(0, 0, probability);
    }

    static DiskFault all(Iterable<DiskFault> faults) {
        DiskFault sum = NONE;
        for (DiskFault fault : faults) {
            sum = new DiskFault(
                    Math.max(sum.delayMax, fault.delayMax),
                    Math.max(sum.failedWrites, fault.failedWrites),
                    Math.max(sum.failedReads, fault.failedReads));
        }
        return sum;
    }
}
