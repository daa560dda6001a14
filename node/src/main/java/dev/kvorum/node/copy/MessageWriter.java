package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Puts together the body of a call or reply: numbers are big-endian. */
final class MessageWriter {
    private ByteBuffer buffer = ByteBuffer.allocate(256);

    MessageWriter putShort(int number) {
        room(Short.BYTES).putShort((short) number);
        return this;
    }

    MessageWriter putInt(int number) {
        room(Integer.BYTES).putInt(number);
        return this;
    }

    MessageWriter putLong(long number) {
        room(Long.BYTES).putLong(number);
        return this;
    }

    MessageWriter put(byte[] bytes) {
        room(bytes.length).put(bytes);
        return this;
    }

    /** Its length, then its bytes; a length of 0 where there is none. */
    MessageWriter putKey(@Nullable Key key) {
        return key == null ? putShort(0) : putShort(key.utf8().length).put(key.utf8());
    }

    MessageWriter putTree(MerkleTree tree) {
        tree.writeTo(room(tree.leaves() * MerkleTree.LEAF_BYTES));
        return this;
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            int length = Math.max(buffer.position() + bytes, 2 * buffer.capacity());
            buffer = ByteBuffer.wrap(Arrays.copyOf(buffer.array(), length)).position(buffer.position());
        }
        return buffer;
    }

    byte[] toBytes() {
        return Arrays.copyOf(buffer.array(), buffer.position());
    }
}
