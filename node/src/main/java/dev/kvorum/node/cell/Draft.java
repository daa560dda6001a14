package dev.kvorum.node.cell;

import java.nio.ByteBuffer;

/**
 * A write before it has a version. The value is gathered in the array that later is the cell, so that between the socket
 * and the storage it is copied once.
 *
 * <p>Not thread-safe, and good for one cell.
 */
public final class Draft {
    private final byte[] bytes;
    private final Cell.Kind kind;

    private Draft(byte[] bytes, Cell.Kind kind) {
        this.bytes = bytes;
        this.kind = kind;
    }

    /** Room for a value of so many bytes, to be put into {@link #value()}. */
    public static Draft ofValue(int length) {
        return new Draft(new byte[Cell.HEADER_BYTES + length], Cell.Kind.VALUE);
    }

    /** A draft of that value. */
    public static Draft ofValue(byte[] value) {
        Draft draft = ofValue(value.length);
        draft.value().put(value);
        return draft;
    }

    /** A deletion. */
    public static Draft tombstone() {
        return new Draft(new byte[Cell.HEADER_BYTES], Cell.Kind.TOMBSTONE);
    }

    /** How long the value is. */
    public int valueLength() {
        return bytes.length - Cell.HEADER_BYTES;
    }

    /** Where the value is put, from its beginning. */
    public ByteBuffer value() {
        return ByteBuffer.wrap(bytes, Cell.HEADER_BYTES, valueLength());
    }

    /**
     * Makes it a cell of that key. The draft must not be used afterwards.
     *
     * @param copies how many replicas the write asks for, 1 to 65535
     */
    public Cell stamp(Key key, Version version, int copies) {
        return Cell.stamp(key, bytes, version, kind, copies, Cell.NEVER);
    }
}
