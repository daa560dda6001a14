package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.replica.MalformedCallException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes apart the body of a call or reply. Whatever somebody sends, it takes no more memory than a few times its length. */
final class MessageReader {
    private final ByteBuffer buffer;

    private MessageReader(byte[] body) {
        this.buffer = ByteBuffer.wrap(body);
    }

    /**
     * Reads all of a body.
     *
     * @throws MalformedCallException if it is shorter or longer than it should be, or not made of what it should be
     */
    static <T> T read(byte[] body, Function<MessageReader, T> decode) {
        MessageReader reader = new MessageReader(body);
        T read;
        try {
            read = decode.apply(reader);
        } catch (BufferUnderflowException e) {
            throw new MalformedCallException("it ends too early");
        } catch (InvalidKeyException | MalformedCellException e) {
            throw new MalformedCallException(String.valueOf(e.getMessage()));
        }
        if (reader.buffer.hasRemaining()) {
            throw new MalformedCallException("it goes on behind its end");
        }
        return read;
    }

    int unsignedShort() {
        return Short.toUnsignedInt(buffer.getShort());
    }

    long longNumber() {
        return buffer.getLong();
    }

    @Nullable
    Key keyOrNone() {
        int length = unsignedShort();
        return length == 0 ? null : Key.ofUtf8(bytes(length));
    }

    Key key() {
        return Key.ofUtf8(bytes(unsignedShort()));
    }

    Cell cell() {
        return Cell.decode(bytes(buffer.getInt()));
    }

    /** One that is to be stored. */
    Cell calledCell() {
        return Cell.decodeCalled(bytes(buffer.getInt()));
    }

    byte[] bytes(int length) {
        if (length < 0 || length > buffer.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    MerkleTree tree(int leaves) {
        MerkleTree tree = new MerkleTree(leaves);
        tree.readFrom(buffer);
        return tree;
    }

    /** Items to the end. */
    <T> List<T> rest(Function<MessageReader, T> item) {
        List<T> items = new ArrayList<>();
        while (buffer.hasRemaining()) {
            items.add(item.apply(this));
        }
        return items;
    }
}
