package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

class HeapBytesTest {
    private static final byte[] BYTES = {1, 2, 3, 4};
    private static final DefaultDataBufferFactory HEAP = DefaultDataBufferFactory.sharedInstance;

    @Test
    void arrayThatHoldsNothingElseIsNotCopied() {
        DataBuffer buffer = HEAP.wrap(BYTES);

        assertThat(HeapBytes.takeAll(buffer)).isSameAs(BYTES);
        assertThat(buffer.readableByteCount()).isZero();
    }

    @Test
    void whatIsLeftOfABufferIsCopied() {
        DataBuffer buffer = HEAP.wrap(BYTES);
        var _ = buffer.read();

        assertThat(HeapBytes.takeAll(buffer)).containsExactly(2, 3, 4);
        assertThat(buffer.readableByteCount()).isZero();
    }

    @Test
    void bufferThatIsNotFullIsCopied() {
        assertThat(HeapBytes.takeAll(HEAP.allocateBuffer(8).write(BYTES))).containsExactly(1, 2, 3, 4);
    }

    @Test
    void sliceOfABufferIsCopied() {
        assertThat(HeapBytes.takeAll(HEAP.wrap(BYTES).split(2))).containsExactly(1, 2);
        assertThat(HeapBytes.takeAll(HEAP.wrap(new byte[0]))).isEmpty();
    }

    @Test
    void bufferOfTheNetworkIsCopied() {
        DataBuffer buffer = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT)
                .allocateBuffer(4)
                .write(BYTES);

        assertThat(HeapBytes.takeAll(buffer)).containsExactly(1, 2, 3, 4);
    }
}
