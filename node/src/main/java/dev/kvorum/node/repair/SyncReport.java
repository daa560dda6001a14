package dev.kvorum.node.repair;

/**
 * What pulling a partition from another member came to.
 *
 * @param equal whether the trees of the two copies were equal at the end. Not so while the partition is being written: then this node may hold newer
 *     cells than the other. What the other held when it was asked is here either way
 * @param cells that were pulled
 * @param bytes that were pulled, with the lists that were needed for it
 */
public record SyncReport(boolean equal, long cells, long bytes) {}
