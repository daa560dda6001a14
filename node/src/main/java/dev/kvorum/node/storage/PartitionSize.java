package dev.kvorum.node.storage;

/**
 * How much a partition holds, estimated without reading it: overwrites that are not folded yet count as well.
 *
 * @param bytes on the disk, where they are compressed, and in memory
 * @param cells keys, tombstones among them
 */
public record PartitionSize(long bytes, long cells) {}
