package dev.kvorum.node.frame;

import java.nio.ByteBuffer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBuffer;

/** The bytes of Spring's buffers, without a copy where that can be. */
public final class HeapBytes {
    private HeapBytes() {}

    /** All that is left in a buffer, which is taken from it: the buffer's own array, if that holds nothing else. It must not be written to afterwards. */
    public static byte[] takeAll(DataBuffer buffer) {
        int length = buffer.readableByteCount();
        if (buffer instanceof DefaultDataBuffer heap && heap.readPosition() == 0) {
            ByteBuffer bytes = heap.getNativeBuffer();
            if (bytes.hasArray() && bytes.arrayOffset() == 0 && bytes.array().length == length) {
                heap.readPosition(length);
                return bytes.array();
            }
        }
        byte[] copy = new byte[length];
        buffer.read(copy);
        return copy;
    }
}
