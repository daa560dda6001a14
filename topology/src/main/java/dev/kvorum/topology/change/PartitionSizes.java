package dev.kvorum.topology.change;

/**
 * How much one member holds, estimated, by partition.
 *
 * @param bytes as they lie on the disk and in memory
 */
@SuppressWarnings("ArrayRecordComponent") // Thousands of numbers that nobody compares.
public record PartitionSizes(long[] bytes, long[] cells) {}
