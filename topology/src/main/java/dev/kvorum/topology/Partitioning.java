package dev.kvorum.topology;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/**
 * Which partition a key belongs to: the upper bits of a 64-bit hash of its bytes, scaled to the number of partitions.
 *
 * <p>The hash is part of the data format. Changing it would move every key.
 *
 * @param partitions 1 to 65536
 */
public record Partitioning(int partitions) {
    private static final Hasher64 HASH = Hashing.xxh3_64();

    /** The partition of a key, from 0 to {@code partitions - 1}. Any thread. */
    public int partitionOf(byte[] key) {
        long hash = HASH.hashBytesToLong(key);
        return (int) Math.unsignedMultiplyHigh(hash, partitions);
    }
}
