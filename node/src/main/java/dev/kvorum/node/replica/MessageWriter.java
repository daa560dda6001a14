package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;

/** Puts together the body of a call or reply, for {@link MessageReader}: numbers are big-endian. It grows as needed. One thread. */
public final class MessageWriter {
    private static final int BYTES_AT_FIRST = 256;

    private ByteBuffer buffer;

    public MessageWriter() {
        this(BYTES_AT_FIRST);
    }

    /** @param bytes how long the body will be: one that is right saves a copy */
    public MessageWriter(int bytes) {
        this.buffer = ByteBuffer.allocate(bytes);
    }

    public MessageWriter putFlag(boolean flag) {
        return putByte(flag ? 1 : 0);
    }

    public MessageWriter putByte(int number) {
        room(Byte.BYTES).put((byte) number);
        return this;
    }

    public MessageWriter putShort(int number) {
        room(Short.BYTES).putShort((short) number);
        return this;
    }

    public MessageWriter putInt(int number) {
        room(Integer.BYTES).putInt(number);
        return this;
    }

    public MessageWriter putLong(long number) {
        room(Long.BYTES).putLong(number);
        return this;
    }

    public MessageWriter putVersion(Version version) {
        return putLong(version.hybridTime()).putLong(version.author());
    }

    public MessageWriter put(byte[] bytes) {
        room(bytes.length).put(bytes);
        return this;
    }

    /** Its length, then its bytes; a length of 0 where there is none. */
    public MessageWriter putKey(@Nullable Key key) {
        return key == null ? putShort(0) : putShort(key.utf8().length).put(key.utf8());
    }

    /** Its length, then its bytes; a length of 0 where there is none. */
    public MessageWriter putCell(@Nullable Cell cell) {
        return cell == null ? putInt(0) : putInt(cell.bytes().length).put(cell.bytes());
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            int length = Math.max(buffer.position() + bytes, 2 * buffer.capacity());
            buffer = ByteBuffer.wrap(Arrays.copyOf(buffer.array(), length)).position(buffer.position());
        }
        return buffer;
    }

    /** The body. Nothing may be put any more. */
    public byte[] toBytes() {
        return buffer.hasRemaining() ? Arrays.copyOf(buffer.array(), buffer.position()) : buffer.array();
    }

    /** The body, not copied. Nothing may be put any more. */
    DataBuffer toBuffer(DataBufferFactory buffers) {
        return buffers.wrap(buffer.flip());
    }
}
