package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.storage.StoredHint;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How hints lie in their column family: the notes of the queues first, then the queues, each of them one range.
 *
 * <pre>
 * key    0, member                                         value  the note of the queue
 * key    1, length of member, member, 8 bytes of sequence  value  2 bytes of key length, key, cell
 * </pre>
 */
final class HintLayout {
    /** From the beginning of a value to the end of its cell's hybrid time, at most. */
    static final int TIME_END_MAX = 2 + Key.BYTES_MAX + Long.BYTES;

    private static final byte NOTE = 0;
    private static final byte HINT = 1;
    private static final int LENGTH_BYTES = 2;
    private static final int COUNTER_BITS = 16;

    private HintLayout() {}

    /** Before all notes. */
    static byte[] notesBegin() {
        return new byte[] {NOTE};
    }

    /** Behind all notes. */
    static byte[] notesEnd() {
        return new byte[] {HINT};
    }

    static byte[] noteKey(String member) {
        byte[] name = name(member);
        return ByteBuffer.allocate(1 + name.length).put(NOTE).put(name).array();
    }

    static String memberOfNote(byte[] key) {
        return new String(key, 1, key.length - 1, StandardCharsets.US_ASCII);
    }

    static byte[] key(String member, long sequence) {
        byte[] name = name(member);
        return ByteBuffer.allocate(2 + name.length + Long.BYTES)
                .put(HINT)
                .put((byte) name.length)
                .put(name)
                .putLong(sequence)
                .array();
    }

    static long sequence(byte[] key) {
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    static byte[] value(Key key, Cell cell) {
        byte[] utf8 = key.utf8();
        return ByteBuffer.allocate(LENGTH_BYTES + utf8.length + cell.bytes().length)
                .putShort((short) utf8.length)
                .put(utf8)
                .put(cell.bytes())
                .array();
    }

    /** What a hint counts: the bytes of its key and value. */
    static int bytes(String member, Key key, Cell cell) {
        return 2 + member.length() + Long.BYTES + LENGTH_BYTES + key.utf8().length + cell.bytes().length;
    }

    /** The hint in that value; null if there is none. */
    static @Nullable StoredHint hint(byte[] key, byte[] value) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(value);
            byte[] utf8 = new byte[Short.toUnsignedInt(buffer.getShort())];
            byte[] cell = new byte[Math.max(0, buffer.remaining() - utf8.length)];
            buffer.get(utf8).get(cell);
            Key hinted = Key.ofUtf8(utf8);
            return new StoredHint(
                    sequence(key),
                    key.length + value.length,
                    hinted,
                    Cell.decode(cell).requireIntact(hinted));
        } catch (BufferUnderflowException | InvalidKeyException | MalformedCellException e) {
            return null; // Who asks counts it: it can't be brought to anybody.
        }
    }

    /**
     * When the cell in that value was written, in milliseconds since 1970; 0, the beginning of time, where there is none.
     *
     * @param value its beginning
     * @param size its length in all
     */
    static long millis(byte[] value, int size) {
        ByteBuffer buffer = ByteBuffer.wrap(value, 0, Math.min(size, value.length));
        try {
            return buffer.getLong(LENGTH_BYTES + Short.toUnsignedInt(buffer.getShort(0))) >>> COUNTER_BITS;
        } catch (IndexOutOfBoundsException e) {
            return 0;
        }
    }

    private static byte[] name(String member) {
        return member.getBytes(StandardCharsets.US_ASCII); // A DNS label.
    }
}
