package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Key;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Keys as the database orders them: two bytes of partition, then the key. So a partition is one range. */
public final class StorageKey {
    /** Length of the partition in front of the key. */
    public static final int PARTITION_BYTES = 2;

    private StorageKey() {}

    public static byte[] of(int partition, Key key) {
        byte[] utf8 = key.utf8();
        byte[] bytes = new byte[PARTITION_BYTES + utf8.length];
        bytes[0] = (byte) (partition >>> 8);
        bytes[1] = (byte) partition;
        System.arraycopy(utf8, 0, bytes, PARTITION_BYTES, utf8.length);
        return bytes;
    }

    /** The key in it. */
    public static Key keyOf(byte[] storageKey) {
        return Key.ofUtf8(Arrays.copyOfRange(storageKey, PARTITION_BYTES, storageKey.length));
    }

    /** The partition in it. */
    public static int partitionOf(byte[] storageKey) {
        return Byte.toUnsignedInt(storageKey[0]) << 8 | Byte.toUnsignedInt(storageKey[1]);
    }

    /** Where a partition begins: not behind any of its keys. */
    public static byte[] beginOf(int partition) {
        return new byte[] {(byte) (partition >>> 8), (byte) partition};
    }

    /** Where the next one begins; null behind the last that there can be. */
    public static byte @Nullable [] endOf(int partition) {
        return partition == 0xFFFF ? null : beginOf(partition + 1);
    }

    /** The first place behind a key. */
    public static byte[] behind(int partition, Key key) {
        byte[] bytes = of(partition, key);
        return Arrays.copyOf(bytes, bytes.length + 1);
    }
}
