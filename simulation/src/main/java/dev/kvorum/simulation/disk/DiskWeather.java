package dev.kvorum.simulation.disk;

import dev.kvorum.simulation.world.Chance;

/**
 * How long a disk takes on a good day. All in nanoseconds of the machine.
 *
 * @param commitMean how long appending to the log takes, on average
 * @param syncMean how long bringing it to the disk takes
 * @param readMean how long a read takes that memory can't answer
 * @param inMemory how likely memory can
 */
public record DiskWeather(long commitMean, long syncMean, long readMean, double inMemory) {
    long commit(Chance chance) {
        return 1 + chance.exponential(commitMean);
    }

    long sync(Chance chance) {
        return 1 + chance.exponential(syncMean);
    }

    long read(Chance chance) {
        return 1 + chance.exponential(readMean);
    }
}
