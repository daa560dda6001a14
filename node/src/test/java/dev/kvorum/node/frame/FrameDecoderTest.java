package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDecoderTest {
    private final List<Integer> ids = new ArrayList<>();
    private final List<byte[]> bodies = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(frame -> {
        ids.add(frame.id);
        bodies.add(ByteBufUtil.getBytes(frame.body));
    }));

    private void feed(byte[] bytes, int from, int to) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, from, to - from));
    }

    @Test
    void framesThatComeByteByByteAreRead() {
        byte[] stream = RawFrames.joined(RawFrames.call(1, 0, "one"), RawFrames.cancel(2), RawFrames.call(3, 0, ""));

        for (int i = 0; i < stream.length; i++) {
            feed(stream, i, i + 1);
        }

        assertThat(ids).containsExactly(1, 2, 3);
        assertThat(bodies.getFirst()).isEqualTo("one".getBytes(StandardCharsets.UTF_8));
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void framesAreReadHoweverTheirBytesAreSplit(long seed) {
        Random random = new Random(seed);
        List<byte[]> sent = new ArrayList<>();
        ByteBuf stream = Unpooled.buffer();
        for (int id = 0; id < 20; id++) {
            byte[] body = new byte[random.nextInt(random.nextBoolean() ? 100 : Frame.BODY_MAX + 1)];
            random.nextBytes(body);
            sent.add(body);
            stream.writeBytes(RawFrames.call(id, 0, 0, body));
        }
        byte[] bytes = ByteBufUtil.getBytes(stream);

        for (int from = 0; from < bytes.length; ) {
            int to = Math.min(bytes.length, from + 1 + random.nextInt(random.nextBoolean() ? 20 : 200_000));
            feed(bytes, from, to);
            from = to;
        }

        assertThat(ids).containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
        assertThat(bodies.toArray(byte[][]::new)).isDeepEqualTo(sent.toArray(byte[][]::new));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 14, Frame.REST_MAX + 1, Integer.MAX_VALUE})
    void lengthOutOfRangeIsRefusedBeforeTheFrameIsThere(int rest) {
        assertThatThrownBy(() -> channel.writeInbound(Unpooled.buffer().writeInt(rest)))
                .hasCauseInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("bytes is not from");
    }

    @Test
    void nothingBehindAMalformedFrameIsLookedAt() {
        byte[] wrong = RawFrames.call(2, 0, "wrong");
        wrong[wrong.length - 1] ^= 1;
        byte[] stream = RawFrames.joined(RawFrames.call(1, 0, "right"), wrong, RawFrames.call(3, 0, "right"));

        assertThatThrownBy(() -> feed(stream, 0, stream.length)).hasCauseInstanceOf(MalformedFrameException.class);
        var _ = channel.close();

        assertThat(ids).containsExactly(1);
    }

    @Test
    void halfAFrameAtTheEndIsDropped() {
        byte[] half = Arrays.copyOf(RawFrames.call(1, 0, "half"), 20);
        feed(half, 0, half.length);

        assertThat(channel.finish()).isFalse();
        assertThat(ids).isEmpty();
    }
}
