package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Key;

/** Keys as the database orders them: two bytes of partition, then the key. So a partition is one range. */
public final class StorageKey {
    static final int PARTITION_BYTES = 2;

    private StorageKey() {}

    public static byte[] of(int partition, Key key) {
        byte[] utf8 = key.utf8();
        byte[] bytes = new byte[PARTITION_BYTES + utf8.length];
        bytes[0] = (byte) (partition >>> 8);
        bytes[1] = (byte) partition;
        System.arraycopy(utf8, 0, bytes, PARTITION_BYTES, utf8.length);
        return bytes;
    }
}
