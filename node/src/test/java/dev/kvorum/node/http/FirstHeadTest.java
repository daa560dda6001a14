package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.http.PortLimits.Port;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;

class FirstHeadTest {
    private static final Duration HEAD_MAX = Duration.ofSeconds(10);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<Channel> guarded = new ArrayList<>();
    private final List<HttpStatus> refused = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private int built;

    FirstHeadTest() {
        PortLimits limits = PortLimits.of(Port.PEERS, 100, HEAD_MAX, SILENCE_MAX, Duration.ofSeconds(1), meters);
        NewConnections port = new NewConnections(limits, guarded::add, refused::add);
        channel.freezeTime();
        channel.pipeline().addLast(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel opened) {
                built++;
                opened.pipeline().addLast(new Server());
                port.onChannelInit((connection, state) -> {}, opened, null);
            }
        });
        channel.pipeline().fireChannelActive();
    }

    /** Stands for all handlers of a server. */
    private final class Server extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            events.add("active");
            context.fireChannelActive();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            events.add("end");
        }
    }

    @AfterEach
    void close() {
        var _ = channel.finishAndReleaseAll();
    }

    private void comes(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    /** The bytes that reached the server, taken away. */
    private String heard() {
        StringBuilder heard = new StringBuilder();
        for (ByteBuf bytes = channel.readInbound(); bytes != null; bytes = channel.readInbound()) {
            heard.append(bytes.toString(StandardCharsets.ISO_8859_1));
            bytes.release();
        }
        return heard.toString();
    }

    private boolean isHeld() {
        return channel.pipeline().get(FirstHead.class) != null;
    }

    private void pass(Duration time) {
        channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    private double closed(String reason) {
        return meters.get("kvorum.connections.closed")
                .tag("reason", reason)
                .counter()
                .count();
    }

    @Test
    void silentConnectionHasOneHandler() {
        assertThat(channel.pipeline().toMap().values()).hasExactlyElementsOfTypes(FirstHead.class);
        assertThat(channel.isActive()).isTrue();
        assertThat(events).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.0\n\n",
                "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\n"
            })
    void serverHearsAllBytesOfAHeadThatCameByteByByte(String head) {
        for (int i = 0; i < head.length(); i++) {
            comes(head.substring(i, i + 1));
        }

        assertThat(heard()).isEqualTo(head);
        assertThat(guarded).containsExactly(channel);
        assertThat(events).containsExactly("active");
        assertThat(isHeld()).isFalse();
        assertThat(built).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: a\r\n", "PRI * HTTP/2.0\r\n", "\r\n\r\n"})
    void serverHearsNothingOfAnUnfinishedHead(String part) {
        comes(part);

        assertThat(heard()).isEmpty();
        assertThat(isHeld()).isTrue();
        assertThat(built).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0016\u0003\u0001", " GET", "\u00ff"})
    void bytesThatBeginNoRequestAreHandedOnAtOnce(String bytes) {
        comes(bytes);

        assertThat(heard()).isEqualTo(bytes);
    }

    @Test
    void longHeadIsHandedOnBeforeItIsWhole() {
        comes("GET /" + "a".repeat(FirstHead.BYTES_MAX - 5));
        assertThat(heard()).isEmpty();

        comes("b");

        assertThat(heard()).hasSize(FirstHead.BYTES_MAX + 1);
    }

    @Test
    void silentConnectionIsClosedAndCounted() {
        pass(SILENCE_MAX.minusMillis(1));
        assertThat(channel.isOpen()).isTrue();

        pass(Duration.ofMillis(1));

        assertThat(channel.isOpen()).isFalse();
        assertThat(closed("silence")).isEqualTo(1);
    }

    @Test
    void lateHeadIsAnsweredHoweverOftenAByteComes() {
        comes("G");
        pass(HEAD_MAX.minusMillis(1));
        comes("E");
        pass(Duration.ofMillis(1));

        ByteBuf answer = channel.readOutbound();
        assertThat(answer.toString(StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 408 Request Timeout\r\n")
                .contains("\r\ncontent-type: application/problem+json\r\n", "\r\nconnection: close\r\n")
                .contains("{\"type\":\"urn:kvorum:problem:late-head\"")
                .endsWith("}");
        assertThat(channel.isOpen()).isFalse();
        assertThat(refused).containsExactly(HttpStatus.REQUEST_TIMEOUT);
        assertThat(closed("head")).isEqualTo(1);
        assertThat(built).isEqualTo(1);
    }

    @Test
    void restOfALateHeadIsDropped() {
        channel.pipeline().addFirst(new HeldFlush());
        comes("GET / HTTP/1.1\r\n");
        pass(HEAD_MAX);

        ByteBuf rest = Unpooled.copiedBuffer("Host: a\r\n\r\n", StandardCharsets.US_ASCII);
        channel.writeInbound(rest);

        assertThat(rest.refCnt()).isZero();
        assertThat(heard()).isEmpty();
        assertThat(built).isEqualTo(1);
    }

    /** As long as the system takes no bytes. */
    private static final class HeldFlush extends ChannelOutboundHandlerAdapter {
        @Override
        public void flush(ChannelHandlerContext context) {
            // Held.
        }
    }

    @Test
    void handedOnConnectionHasNoDeadlineHere() {
        comes("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

        pass(SILENCE_MAX.plus(HEAD_MAX));

        assertThat(channel.isOpen()).isTrue();
        assertThat(heard()).isNotEmpty();
    }

    @Test
    void partOfAHeadIsHandedOnWhenTheClientSendsNoMore() {
        comes("GET / HT");

        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);

        assertThat(heard()).isEqualTo("GET / HT");
        assertThat(events).containsExactly("active", "end");
    }

    @Test
    void connectionThatEndsInSilenceIsClosed() {
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void heldBytesAreReleasedWithTheConnection() {
        ByteBuf part = Unpooled.copiedBuffer("GE", StandardCharsets.US_ASCII);
        channel.writeInbound(part);

        var _ = channel.close();

        assertThat(part.refCnt()).isZero();
    }
}
