package dev.kvorum.node.copy;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;

/**
 * What stands for a cell in a tree: 128 bits of XXH3 over key and cell. The seed is another in each run, so that nobody can choose keys and
 * values whose hashes cancel out, and two that ever did would not do so again.
 *
 * <p>Keeps a buffer: for one thread at a time.
 */
public final class CellHash {
    /** Part of the protocol, as the partition of a key is; that one goes by its upper bits. */
    private static final Hasher64 OF_KEY = Hashing.xxh3_64();

    private static final int LENGTH_BYTES = 2;

    private final Hasher128 hasher;
    private byte[] buffer = new byte[512];

    public CellHash(long seed) {
        this.hasher = Hashing.xxh3_128(seed);
    }

    /** Says which leaf a key belongs to: its lowest bits do. */
    public static int leafOf(Key key, int leaves) {
        return (int) OF_KEY.hashBytesToLong(key.utf8()) & (leaves - 1);
    }

    HashValue128 of(Key key, Cell cell) {
        byte[] name = key.utf8();
        byte[] bytes = cell.bytes();
        int length = LENGTH_BYTES + name.length + bytes.length;
        if (buffer.length < length) {
            buffer = new byte[Math.max(length, 2 * buffer.length)];
        }
        buffer[0] = (byte) (name.length >>> 8); // Or "a" with a cell could be "ab" with another.
        buffer[1] = (byte) name.length;
        System.arraycopy(name, 0, buffer, LENGTH_BYTES, name.length);
        System.arraycopy(bytes, 0, buffer, LENGTH_BYTES + name.length, bytes.length);
        return hasher.hashBytesTo128Bits(buffer, 0, length);
    }

    public long check(Key key, Cell cell) {
        return of(key, cell).getLeastSignificantBits();
    }
}
