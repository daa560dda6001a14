package dev.kvorum.node.frame;

import static dev.kvorum.node.frame.RawFrames.CONTINUES;
import static dev.kvorum.node.frame.RawFrames.MORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FrameTest {
    private static Frame read(ByteBuf bytes) {
        return Frame.read(bytes, bytes.readInt());
    }

    private static ByteBuf written(FrameType type, int operation, int id, int head, byte[] body) {
        ByteBuf out = Unpooled.buffer();
        Frame.write(out, type, operation, id, head, body, 0, body.length);
        return out;
    }

    static Stream<Arguments> typesAndLengths() {
        return Stream.of(FrameType.values())
                .flatMap(type -> IntStream.of(0, 1, 2, 255, 4096, Frame.BODY_MAX - 1, Frame.BODY_MAX)
                        .mapToObj(length -> Arguments.of(type, length)));
    }

    @ParameterizedTest
    @MethodSource("typesAndLengths")
    void whatIsWrittenIsRead(FrameType type, int length) {
        byte[] body = RawFrames.filled(length, 0xa5);
        ByteBuf bytes = written(type, 255, 0x80000001, -2, body);

        Frame frame = read(bytes);

        assertThat(frame.type).isEqualTo(type);
        assertThat(frame.operation).isEqualTo(255);
        assertThat(frame.id).isEqualTo(0x80000001);
        assertThat(frame.head).isEqualTo(-2);
        assertThat(ByteBufUtil.getBytes(frame.body)).isEqualTo(body);
        assertThat(frame.isWholeMessage()).isTrue();
        assertThat(bytes.isReadable()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("typesAndLengths")
    void bytesAreThoseOfTheProtocol(FrameType type, int length) {
        byte[] body = RawFrames.filled(length, 0x5a);

        assertThat(ByteBufUtil.getBytes(written(type, 2, 7, 9, body)))
                .isEqualTo(RawFrames.frame(type.code, 0, 2, 7, 9, body));
    }

    @Test
    void typesHaveTheCodesOfTheProtocol() {
        assertThat(FrameType.values()).extracting(type -> (int) type.code).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(Stream.of(FrameType.values()).map(type -> FrameType.of(type.code)))
                .containsExactly(FrameType.values());
        assertThat(IntStream.of(0, 9, -1, Byte.MIN_VALUE, Byte.MAX_VALUE).mapToObj(code -> FrameType.of((byte) code)))
                .containsOnlyNulls();
    }

    @Test
    void longBodyGoesInFullFramesAndWhatRemains() {
        byte[] body = RawFrames.filled(2 * Frame.BODY_MAX + 10, 1);
        Message message = new Message(FrameType.REPLY, 0, 7, 200, body);
        ByteBuf out = Unpooled.buffer();

        List<Boolean> goesOn = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            goesOn.add(message.writeFrame(out));
        }

        assertThat(goesOn).containsExactly(true, true, false);
        assertThat(ByteBufUtil.getBytes(out))
                .isEqualTo(RawFrames.joined(
                        RawFrames.frame(5, MORE, 0, 7, 200, Arrays.copyOf(body, Frame.BODY_MAX)),
                        RawFrames.frame(5, MORE | CONTINUES, 0, 7, 200, Arrays.copyOf(body, Frame.BODY_MAX)),
                        RawFrames.frame(5, CONTINUES, 0, 7, 200, Arrays.copyOf(body, 10))));
    }

    @Test
    void everyFlippedBitIsFound() {
        byte[] right = RawFrames.call(1, 0, 2000, new byte[] {1, 2, 3});
        for (int bit = Frame.LENGTH_BYTES * 8; bit < right.length * 8; bit++) {
            byte[] wrong = right.clone();
            wrong[bit / 8] ^= (byte) (1 << bit % 8);

            assertThatThrownBy(() -> read(Unpooled.wrappedBuffer(wrong)))
                    .as("bit " + bit)
                    .isInstanceOf(MalformedFrameException.class)
                    .hasMessage("a checksum does not match");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0,0,0,not known",
        "9,0,0,not known",
        "255,0,0,not known",
        "4,4,0,not known",
        "4,128,0,not known",
        "7,1,65536,one frame",
        "1,2,0,one frame",
        "3,1,65536,one frame",
        "4,1,65535,followed by another",
        "5,3,0,followed by another"
    })
    void frameThatTheProtocolDoesNotKnowIsRefusedThoughItsChecksumIsRight(
            int type, int flags, int length, String reason) {
        byte[] frame = RawFrames.frame(type, flags, 0, 1, 0, new byte[length]);

        assertThatThrownBy(() -> read(Unpooled.wrappedBuffer(frame)))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining(reason);
    }
}
