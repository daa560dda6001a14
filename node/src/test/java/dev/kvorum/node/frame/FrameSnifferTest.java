package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.http.ByteBudget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameSnifferTest {
    private final List<Channel> http1 = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();

    FrameSnifferTest() {
        PeerDoor door = new PeerDoor(
                FramePair.PATHS,
                new ManualService(),
                null,
                FramePair.limits(64, new ByteBudget(0)),
                new FrameMetrics(new SimpleMeterRegistry()));
        new FrameSniffer(door, http1::add).install(channel);
    }

    @AfterEach
    void close() {
        var _ = channel.finishAndReleaseAll();
    }

    private void comes(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    /** What the handlers behind it have heard, taken away. */
    private String heard() {
        StringBuilder heard = new StringBuilder();
        for (ByteBuf bytes = channel.readInbound(); bytes != null; bytes = channel.readInbound()) {
            heard.append(bytes.toString(StandardCharsets.ISO_8859_1));
            bytes.release();
        }
        return heard.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /",
                "POST /",
                "PROPFIND /",
                "PRI * HTTP/1.1",
                "PRI * HTTP/2.0 and more",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\rx"
            })
    void http1IsHeardWholeHoweverItsBytesCome(String request) {
        for (int i = 0; i < request.length(); i++) {
            comes(request.substring(i, i + 1));
        }

        assertThat(heard()).isEqualTo(request);
        assertThat(http1).hasSize(1);
    }

    @Test
    void nothingIsHeardBeforeItIsKnownWhatIsSpoken() {
        comes("PRI * HT");
        assertThat(heard()).isEmpty();
        assertThat(http1).isEmpty();

        comes("TP/2.0\r\n\r\nSM\r\n\r");
        assertThat(heard()).isEmpty();

        comes("\nmore");

        assertThat(heard()).isEqualTo("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nmore");
        assertThat(http1).isEmpty();
    }

    @Test
    void whatIsHeldGoesWithItsConnection() {
        ByteBuf beginning = Unpooled.copiedBuffer("PR", StandardCharsets.ISO_8859_1);
        channel.writeInbound(beginning);

        var _ = channel.close();

        assertThat(beginning.refCnt()).isZero();
    }

    @Test
    void framesBeginWithAZero() {
        comes("\0");

        assertThat(channel.pipeline().get(ServingConnection.class)).isNotNull();
        assertThat(http1).isEmpty();
    }
}
