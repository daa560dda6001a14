package dev.kvorum.node.frame;

import java.nio.ByteBuffer;
import java.util.List;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBuffer;
import org.springframework.core.io.buffer.LimitedDataBufferList;
import org.springframework.core.io.buffer.NettyDataBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The bytes of Spring's buffers, without a copy where that can be. */
public final class HeapBytes {
    private HeapBytes() {}

    /**
     * A body as one buffer, which whoever gets it releases: as it is where it came in one piece, like each reply over frames. Spring's own joining copies that as well.
     *
     * @param bytesMax a longer one fails with a {@link DataBufferLimitException}
     * @return empty for a body of no piece
     */
    public static Mono<DataBuffer> joined(Flux<DataBuffer> body, int bytesMax) {
        return body.collect(() -> new LimitedDataBufferList(bytesMax), LimitedDataBufferList::add)
                .filter(pieces -> !pieces.isEmpty())
                .map(HeapBytes::joined)
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
    }

    private static DataBuffer joined(List<DataBuffer> pieces) {
        DataBuffer first = pieces.getFirst();
        return pieces.size() == 1 ? first : first.factory().join(pieces);
    }

    /** All that is left in a buffer, without a copy where it lies in one piece; valid as long as the buffer. */
    public static ByteBuffer view(DataBuffer buffer) {
        return switch (buffer) {
            case DefaultDataBuffer heap ->
                heap.getNativeBuffer()
                        .duplicate()
                        .clear()
                        .position(heap.readPosition())
                        .limit(heap.writePosition());
            case NettyDataBuffer netty
            when netty.getNativeBuffer().nioBufferCount() == 1 ->
                netty.getNativeBuffer().nioBuffer();
            default -> ByteBuffer.wrap(takeAll(buffer));
        };
    }

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
