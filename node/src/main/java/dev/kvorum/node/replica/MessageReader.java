package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.frame.HeapBytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;

/**
 * Takes apart the body of a call or reply, as {@link MessageWriter} puts it together. Whatever a peer sends, it takes no more memory than a few times its length.
 * One thread.
 *
 * <p>Its methods throw {@link BufferUnderflowException}, {@link InvalidKeyException} or {@link MalformedCellException}, all of which {@link #whole} turns into a
 * {@link MalformedCallException}.
 */
public final class MessageReader {
    private final ByteBuffer buffer;

    private MessageReader(ByteBuffer buffer) {
        this.buffer = buffer;
    }

    /** @param body not copied: valid as long as the buffer, which is not released */
    static MessageReader of(DataBuffer body) {
        return new MessageReader(HeapBytes.view(body));
    }

    /**
     * Reads all of a body.
     *
     * @throws MalformedCallException if it is shorter or longer than it should be, or not made of what it should be
     */
    public static <T> T read(byte[] body, Function<MessageReader, T> decode) {
        return new MessageReader(ByteBuffer.wrap(body)).whole(decode);
    }

    /**
     * Reads all that is left.
     *
     * @throws MalformedCallException if it is shorter or longer than it should be, or not made of what it should be
     */
    <T> T whole(Function<MessageReader, T> decode) {
        T read;
        try {
            read = decode.apply(this);
        } catch (BufferUnderflowException e) {
            throw new MalformedCallException("it ends too early");
        } catch (InvalidKeyException | MalformedCellException e) {
            throw new MalformedCallException(String.valueOf(e.getMessage()));
        }
        if (buffer.hasRemaining()) {
            throw new MalformedCallException("it goes on behind its end");
        }
        return read;
    }

    /** How many bytes are left. */
    public int remaining() {
        return buffer.remaining();
    }

    public boolean flag() {
        return buffer.get() != 0;
    }

    public int unsignedByte() {
        return Byte.toUnsignedInt(buffer.get());
    }

    public int unsignedShort() {
        return Short.toUnsignedInt(buffer.getShort());
    }

    public int intNumber() {
        return buffer.getInt();
    }

    public long longNumber() {
        return buffer.getLong();
    }

    public Version version() {
        return new Version(buffer.getLong(), buffer.getLong());
    }

    public @Nullable Key keyOrNone() {
        int length = unsignedShort();
        return length == 0 ? null : Key.ofUtf8(bytes(length));
    }

    public Key key() {
        return Key.ofUtf8(bytes(unsignedShort()));
    }

    /** One that another member has stored. */
    public Cell cell() {
        return Cell.decode(bytes(buffer.getInt()));
    }

    /** One that is to be stored. */
    public Cell calledCell() {
        return Cell.decodeCalled(bytes(buffer.getInt()));
    }

    /** One that is to be stored, or none. */
    public @Nullable Cell calledCellOrNone() {
        int length = buffer.getInt();
        return length == 0 ? null : Cell.decodeCalled(bytes(length));
    }

    /** Bytes that must not be written to: they may be those of the body. */
    public byte[] bytes(int length) {
        if (length < 0 || length > buffer.remaining()) {
            throw new BufferUnderflowException();
        }
        if (buffer.hasArray()
                && buffer.position() == 0
                && buffer.arrayOffset() == 0
                && buffer.array().length == length) {
            buffer.position(length);
            return buffer.array();
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    /** All bytes to the end, which must not be written to. */
    public byte[] rest() {
        return bytes(buffer.remaining());
    }

    /** Items to the end. */
    public <T> List<T> rest(Function<MessageReader, T> item) {
        List<T> items = new ArrayList<>();
        while (buffer.hasRemaining()) {
            items.add(item.apply(this));
        }
        return items;
    }
}
