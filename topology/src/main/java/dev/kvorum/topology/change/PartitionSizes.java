package dev.kvorum.topology.change;

import static java.util.Objects.requireNonNull;

/**
 * How much one member holds, estimated, by partition.
 *
 * @param bytes as they lie on the disk and in memory
 */
@SuppressWarnings("ArrayRecordComponent") // Thousands of numbers that nobody compares.
public record PartitionSizes(long[] bytes, long[] cells) {
    public PartitionSizes {
        requireNonNull(bytes, "bytes");
        requireNonNull(cells, "cells");
    }

    /** Bytes of a partition; 0 where nothing is said of it. */
    public long of(int partition) {
        return partition < bytes.length ? bytes[partition] : 0;
    }
}
