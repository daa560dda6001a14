package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.StorageKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which partitions are watched, and which of those were written to. Where none is, asking costs next to nothing. Any thread. */
final class WatchedPartitions {
    private final Map<Integer, Boolean> touched = new ConcurrentHashMap<>();

    void begin(int partition) {
        touched.put(partition, false);
    }

    void end(int partition) {
        touched.remove(partition);
    }

    boolean isTouched(int partition) {
        return touched.getOrDefault(partition, true);
    }

    /** A cell was committed under that key. */
    void wrote(byte[] storageKey) {
        if (!touched.isEmpty()) {
            touched.computeIfPresent(StorageKey.partitionOf(storageKey), (partition, before) -> true);
        }
    }
}
