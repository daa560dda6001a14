package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Key;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of one partition, in the order of the bytes of its keys.
 *
 * @param after the key before its first; null begins with the partition
 * @param upTo its last key, whether there is such a one or not; null ends with the partition
 */
public record KeyRange(
        int partition, @Nullable Key after, @Nullable Key upTo) {
    /** All of a partition. */
    public static KeyRange of(int partition) {
        return new KeyRange(partition, null, null);
    }

    /** What is left of it behind a key. */
    public KeyRange from(@Nullable Key key) {
        return new KeyRange(partition, key, upTo);
    }
}
