package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpStatus;

/** The specification says what is sent: its dumps are those of a real exchange, and its tables name what there is. */
class PeerProtocolDocumentTest {
    private static final PeerIdentity CALLER =
            new PeerIdentity("demo", "n2", new UUID(0x0123456789abcdefL, 0xfedcba9876543210L), 4);
    private static final Path DOCUMENT = Path.of("..", "docs", "peer-protocol.md");
    private static final Pattern DUMP = Pattern.compile("```hex\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile(";.*");

    private static String document() throws IOException {
        return Files.readString(DOCUMENT);
    }

    private static List<byte[]> dumps() throws IOException {
        return DUMP.matcher(document())
                .results()
                .map(dump -> COMMENT.matcher(dump.group(1)).replaceAll("").replaceAll("\\s", ""))
                .map(HexFormat.of()::parseHex)
                .toList();
    }

    private static byte[] sentBy(EmbeddedChannel end) {
        end.runPendingTasks();
        ByteBuf bytes = end.readOutbound();
        try {
            return ByteBufUtil.getBytes(bytes);
        } finally {
            bytes.release();
        }
    }

    @Test
    void exchangeOfBytesIsTheRealOne() throws IOException {
        List<byte[]> dumps = dumps();
        byte[] cell = RawFrames.seen(dumps.get(3)).getFirst().body();
        FramePair pair = FramePair.of("demo", "demo");

        pair.calling.greet(new Greeting(CALLER, "n1"));
        assertThat(sentBy(pair.caller)).isEqualTo(dumps.get(0));
        pair.toServer(dumps.get(0));
        assertThat(sentBy(pair.server)).isEqualTo(dumps.get(1));
        pair.toCaller(dumps.get(1));
        byte[] asked = RawFrames.seen(dumps.get(2)).getFirst().body();
        var answer = pair.call(1, asked, 2000);
        assertThat(sentBy(pair.caller)).isEqualTo(dumps.get(2));
        pair.toServer(dumps.get(2));
        pair.service.answer(0, HttpStatus.OK, cell);
        assertThat(sentBy(pair.server)).isEqualTo(dumps.get(3));
        pair.toCaller(dumps.get(3));
        assertThat(answer.join().getStatusCode()).isEqualTo(HttpStatus.OK);
        var cancelled = pair.call("other");
        var _ = sentBy(pair.caller);
        cancelled.cancel(true);
        FramePair.pass(pair.caller, FramePair.TICK_MILLIS);
        assertThat(sentBy(pair.caller)).isEqualTo(dumps.get(4));

        assertThat(dumps).hasSize(5);
        assertThat(asked)
                .isEqualTo(ByteBuffer.allocate(22)
                        .putLong(7)
                        .putLong(0x2b6f5c0e9d1a4837L)
                        .put(Key.of("cart-7").utf8())
                        .array());
    }

    @Test
    void cellInTheExchangeIsOne() throws IOException {
        byte[] body = RawFrames.seen(dumps().get(3)).getFirst().body();

        assertThat(Cell.decode(body).bytes()).isEqualTo(body);
        assertThat(new String(body, Cell.HEADER_BYTES, 10, StandardCharsets.UTF_8))
                .isEqualTo("two apples");
    }

    @ParameterizedTest
    @EnumSource(FrameType.class)
    void everyTypeHasItsRow(FrameType type) throws IOException {
        assertThat(document()).contains("| " + type.code + " | " + type + " |");
    }

    @Test
    void boundsAreTheRealOnes() throws IOException {
        String document = document();

        assertThat(document).contains(thousands(Greeting.BYTES_MAX) + " bytes of body");
        assertThat(document).contains("15 to " + thousands(Frame.REST_MAX), thousands(Frame.BODY_MAX) + " bytes");
        assertThat(document).contains(thousands(Frame.LENGTH_BYTES + Frame.REST_MAX) + " bytes with its length");
        assertThat(dumps().getFirst()[0]).isZero();
        assertThat(Unpooled.wrappedBuffer(dumps().getFirst()).readInt())
                .isEqualTo(dumps().getFirst().length - Frame.LENGTH_BYTES);
    }

    private static String thousands(int number) {
        return "%,d".formatted(number);
    }
}
