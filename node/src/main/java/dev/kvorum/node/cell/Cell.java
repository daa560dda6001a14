package dev.kvorum.node.cell;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A value or a tombstone with its version: a view on the binary form in which it is stored and sent.
 *
 * <pre>
 * offset  bytes
 *      0      8  hybrid time  \ the version comes first and big-endian, so that
 *      8      8  author       / the order of the bytes is the order of versions
 *     16      1  format: 1
 *     17      1  kind: 1 a value, 2 a tombstone
 *     18      2  copies that the write asked for
 *     20      8  expiry in milliseconds since 1970, 0 for never
 *     28      4  CRC-32C of the key, of what stands before, and of the value
 *     32      -  the value
 * </pre>
 *
 * <p>Of two cells under one key the newer is the one whose bytes are greater, read as unsigned. Immutable.
 *
 * <p>The checksum is made where the cell is, by the coordinator of the write, and holds wherever the cell goes: {@link #requireIntact}. It covers the key, so a cell that got under
 * another key is noticed as well.
 */
public final class Cell implements Comparable<Cell> {
    public static final int HEADER_BYTES = 32;

    /** The most copies that a write can ask for: as many as a cluster has members at most. */
    public static final int COPIES_MAX = 255;

    static final long NEVER = 0;

    private static final int AUTHOR = 8;
    private static final int FORMAT = 16;
    private static final int KIND = 17;
    private static final int COPIES = 18;
    private static final int EXPIRY = 20;
    private static final int CHECKSUM = 28;
    private static final byte FORMAT_1 = 1;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    enum Kind {
        VALUE(1),
        TOMBSTONE(2);

        final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }

    private final byte[] bytes;

    private Cell(byte[] bytes) {
        this.bytes = bytes;
    }

    static Cell stamp(Key key, byte[] bytes, Version version, Kind kind, int copies, long expiry) {
        LONG.set(bytes, 0, version.hybridTime());
        LONG.set(bytes, AUTHOR, version.author());
        bytes[FORMAT] = FORMAT_1;
        bytes[KIND] = kind.code;
        SHORT.set(bytes, COPIES, (short) copies);
        LONG.set(bytes, EXPIRY, expiry);
        INT.set(bytes, CHECKSUM, checksum(key, bytes));
        return new Cell(bytes);
    }

    private static int checksum(Key key, byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(key.utf8());
        sum.update(bytes, 0, CHECKSUM);
        sum.update(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
        return (int) sum.getValue();
    }

    /**
     * The cell of those bytes, which are not copied and must not be changed afterwards.
     *
     * @throws MalformedCellException if they are not a cell
     */
    public static Cell decode(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            throw new MalformedCellException("a cell has at least " + HEADER_BYTES + " bytes, not " + bytes.length);
        }
        Cell cell = new Cell(bytes);
        if (cell.version().hybridTime() <= 0) {
            throw new MalformedCellException("hybrid time " + cell.version().hybridTime() + " is not positive");
        }
        if (bytes[FORMAT] != FORMAT_1) {
            throw new MalformedCellException("format " + bytes[FORMAT] + " is not known: this version knows 1");
        }
        if (bytes[KIND] != Kind.VALUE.code && bytes[KIND] != Kind.TOMBSTONE.code) {
            throw new MalformedCellException("kind " + bytes[KIND] + " is neither value nor tombstone");
        }
        if (cell.isTombstone() && bytes.length > HEADER_BYTES) {
            throw new MalformedCellException("a tombstone has no value");
        }
        if (cell.copies() == 0 || cell.expiry() < 0) {
            throw new MalformedCellException(
                    "copies " + cell.copies() + " or expiry " + cell.expiry() + " out of range");
        }
        return cell;
    }

    /**
     * As {@link #decode}, of what another node asks to be stored: no cluster has as many members as the field could say.
     *
     * @throws MalformedCellException if they are not a cell, or of too many copies
     */
    public static Cell decodeCalled(byte[] bytes) {
        Cell cell = decode(bytes);
        if (cell.copies() > COPIES_MAX) {
            throw new MalformedCellException(
                    "copies " + cell.copies() + " are more than a cluster can have, " + COPIES_MAX);
        }
        return cell;
    }

    /**
     * This cell, if it is what its coordinator made for that key. Of a {@linkplain #head() head} there is no telling.
     *
     * @throws DamagedCellException if a bit of it has changed, or it belongs to another key
     */
    public Cell requireIntact(Key key) {
        if ((int) INT.get(bytes, CHECKSUM) != checksum(key, bytes)) {
            throw new DamagedCellException(version());
        }
        return this;
    }

    /** The newer of two, either of which may be missing. */
    public static @Nullable Cell newest(@Nullable Cell one, @Nullable Cell other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isNewerThan(other) ? one : other;
    }

    public Version version() {
        return new Version((long) LONG.get(bytes, 0), (long) LONG.get(bytes, AUTHOR));
    }

    public boolean isTombstone() {
        return bytes[KIND] == Kind.TOMBSTONE.code;
    }

    /** How many replicas the write asked for: repair gives a key no more copies than that. */
    public int copies() {
        return Short.toUnsignedInt((short) SHORT.get(bytes, COPIES));
    }

    /** When the value ends, in milliseconds since 1970; 0 for never. */
    public long expiry() {
        return (long) LONG.get(bytes, EXPIRY);
    }

    /** Whether a reader at that time, in milliseconds since 1970, finds a value here. */
    public boolean isVisibleAt(long millis) {
        return !isTombstone() && (expiry() == NEVER || millis < expiry());
    }

    /**
     * Since when, in milliseconds since 1970, it only hides what is older: since the deletion, or since it has expired. {@link Long#MAX_VALUE}
     * for a value that does not end.
     */
    public long endMillis() {
        if (isTombstone()) {
            return version().millis();
        }
        return expiry() == NEVER ? Long.MAX_VALUE : Math.max(expiry(), version().millis());
    }

    /** The same value or tombstone, written anew. */
    public Cell anew(Key key, Version version, int copies) {
        byte[] copy = bytes.clone();
        LONG.set(copy, 0, version.hybridTime());
        LONG.set(copy, AUTHOR, version.author());
        SHORT.set(copy, COPIES, (short) copies);
        INT.set(copy, CHECKSUM, checksum(key, copy));
        return new Cell(copy);
    }

    /** All of it but the value. */
    public Cell head() {
        return bytes.length == HEADER_BYTES ? this : new Cell(Arrays.copyOf(bytes, HEADER_BYTES));
    }

    public boolean isNewerThan(Cell other) {
        return compareTo(other) > 0;
    }

    /** The older is the less. */
    @Override
    public int compareTo(Cell other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    /** The value, which is empty for a tombstone; read-only and not a copy. */
    public ByteBuffer value() {
        return ByteBuffer.wrap(bytes, HEADER_BYTES, valueLength()).asReadOnlyBuffer();
    }

    public int valueLength() {
        return bytes.length - HEADER_BYTES;
    }

    /** The binary form itself, not a copy: it must not be changed. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Cell cell && Arrays.equals(bytes, cell.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return (isTombstone() ? "tombstone" : valueLength() + " bytes") + " @" + version();
    }
}
