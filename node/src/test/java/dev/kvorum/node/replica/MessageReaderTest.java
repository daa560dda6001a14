package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

class MessageReaderTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Version VERSION = new Version(-2, Long.MIN_VALUE);
    private static final Cell CELL = Draft.ofValue(new byte[300]).stamp(KEY, new Version(7, 8), 3);

    private static byte[] message() {
        return new MessageWriter(1)
                .putFlag(true)
                .putFlag(false)
                .putByte(255)
                .putShort(65_535)
                .putInt(-5)
                .putLong(Long.MIN_VALUE)
                .putVersion(VERSION)
                .putKey(Key.of("ключ"))
                .putKey(null)
                .putCell(CELL)
                .putCell(null)
                .put(new byte[] {1, 2, 3})
                .toBytes();
    }

    private static List<Object> all(MessageReader in) {
        return Arrays.asList(
                in.flag(),
                in.flag(),
                in.unsignedByte(),
                in.unsignedShort(),
                in.intNumber(),
                in.longNumber(),
                in.version(),
                in.key(),
                in.keyOrNone(),
                in.calledCell(),
                in.calledCellOrNone(),
                in.unsignedByte(),
                in.unsignedShort());
    }

    @Test
    void whatWasWrittenIsRead() {
        assertThat(MessageReader.read(message(), MessageReaderTest::all))
                .containsExactly(
                        true,
                        false,
                        255,
                        65_535,
                        -5,
                        Long.MIN_VALUE,
                        VERSION,
                        Key.of("ключ"),
                        null,
                        CELL,
                        null,
                        1,
                        0x203);
    }

    @Test
    void whatIsShorterOrLongerIsMalformed() {
        byte[] message = message();

        for (int length = 0; length < message.length; length++) {
            assertMalformed(Arrays.copyOf(message, length), MessageReaderTest::all, "it ends too early");
        }
        assertMalformed(
                Arrays.copyOf(message, message.length + 1), MessageReaderTest::all, "it goes on behind its end");
    }

    @Test
    void lengthThatTheBodyDoesNotHaveTakesNoMemory() {
        assertMalformed(new MessageWriter().putInt(Integer.MAX_VALUE).toBytes(), MessageReader::cell, "ends too early");
        assertMalformed(new MessageWriter().putInt(-1).toBytes(), MessageReader::cell, "ends too early");
    }

    @Test
    void keyOrCellThatIsNoneIsMalformed() {
        assertMalformed(new byte[] {0, 0}, MessageReader::key, "the key is empty");
        assertMalformed(new byte[] {0, 1, -1}, MessageReader::key, "UTF-8");
        assertMalformed(new byte[] {0, 0, 0, 1, 1}, MessageReader::cell, "cell");
    }

    @Test
    void bodyThatIsNothingElseIsNotCopied() {
        byte[] bytes = {1, 2, 3};

        assertThat(MessageReader.of(DefaultDataBufferFactory.sharedInstance.wrap(bytes))
                        .rest())
                .isSameAs(bytes);
        byte[] behind = MessageReader.read(bytes, in -> {
            var _ = in.unsignedByte();
            return in.rest();
        });
        assertThat(behind).containsExactly(2, 3);
    }

    @Test
    void writerOfTheRightLengthDoesNotCopy() {
        assertThat(new MessageWriter(3).put(new byte[] {1, 2, 3}).toBytes()).containsExactly(1, 2, 3);
        assertThat(new MessageWriter().put(new byte[] {1, 2, 3}).toBytes()).containsExactly(1, 2, 3);
    }

    private static void assertMalformed(byte[] body, Function<MessageReader, ?> decode, String reason) {
        assertThatThrownBy(() -> MessageReader.read(body, decode))
                .isInstanceOf(MalformedCallException.class)
                .hasMessageContaining(reason);
    }
}
