package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;

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
    void bodyOfOnePieceIsNotCopied() {
        DataBuffer piece = HEAP.wrap(BYTES);

        assertThat(HeapBytes.joined(Flux.just(piece), 4).block()).isSameAs(piece);
    }

    @Test
    void bodyOfSeveralPiecesIsWholeAndOneThatIsTooLongFails() {
        Flux<DataBuffer> pieces = Flux.defer(() -> Flux.just(HEAP.wrap(BYTES), HEAP.wrap(BYTES)));

        assertThat(HeapBytes.joined(pieces, 8).map(HeapBytes::takeAll).block()).containsExactly(1, 2, 3, 4, 1, 2, 3, 4);
        assertThatThrownBy(() -> HeapBytes.joined(pieces, 7).block()).isInstanceOf(DataBufferLimitException.class);
        assertThat(HeapBytes.joined(Flux.empty(), 7).block()).isNull();
    }

    @Test
    void bufferOfTheNetworkIsCopied() {
        DataBuffer buffer = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT)
                .allocateBuffer(4)
                .write(BYTES);

        assertThat(HeapBytes.takeAll(buffer)).containsExactly(1, 2, 3, 4);
    }

    @Test
    void viewIsOfWhatIsLeftAndNotCopied() {
        byte[] bytes = BYTES.clone();
        DataBuffer heap = HEAP.wrap(bytes);
        var _ = heap.read();

        ByteBuffer view = HeapBytes.view(heap);
        bytes[1] = 9;
        assertThat(view.remaining()).isEqualTo(3);
        assertThat(view.get()).isEqualTo((byte) 9);
        assertThat(HeapBytes.view(HEAP.wrap(bytes)).array()).isSameAs(bytes);
        assertThat(HeapBytes.view(HEAP.allocateBuffer(8).write(bytes)).remaining())
                .isEqualTo(4);
    }

    @Test
    void viewOfABufferOfTheNetworkIsOfAllItsPieces() {
        NettyDataBufferFactory network = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT);
        DataBuffer one = network.allocateBuffer(8).write(BYTES);
        DataBuffer several = network.join(List.of(
                network.allocateBuffer(4).write(BYTES),
                network.allocateBuffer(4).write(BYTES)));
        var _ = one.read();
        var _ = several.read();

        assertThat(HeapBytes.view(one)).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3, 4}));
        assertThat(HeapBytes.view(several)).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3, 4, 1, 2, 3, 4}));
    }
}
