package dev.kvorum.operator.node;

import java.util.List;

/**
 * An estimate of what a node holds.
 *
 * @param bytes by partition
 */
public record Sizes(List<Long> bytes) {
    public Sizes {
        bytes = List.copyOf(bytes);
    }

    /** Bytes of a partition; 0 where nothing is said of it. */
    public long of(int partition) {
        return partition < bytes.size() ? bytes.get(partition) : 0;
    }
}
