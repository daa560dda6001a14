package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdleGuardTest {
    private static final Duration IDLE_MAX = Duration.ofSeconds(60);

    private final EmbeddedChannel connection = new EmbeddedChannel();

    @BeforeEach
    void install() {
        connection.freezeTime();
        connection.pipeline().addLast(new HttpServerCodec());
        IdleGuard.install(connection, IDLE_MAX);
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    private void pass(Duration time) {
        connection.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        connection.runScheduledPendingTasks();
    }

    private void ask() {
        connection.writeInbound(
                Unpooled.copiedBuffer("GET /v0/entity?id=k HTTP/1.1\r\nHost: k\r\n\r\n", StandardCharsets.US_ASCII));
    }

    private void answer(HttpResponseStatus status) {
        connection.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status));
    }

    @Test
    void connectionWithoutARequestIsClosedWhenItsTimeIsOver() {
        pass(IDLE_MAX.minusMillis(1));
        assertThat(connection.isOpen()).isTrue();

        pass(Duration.ofMillis(1));

        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void requestThatIsNotAnsweredKeepsItOpen() {
        ask();

        pass(IDLE_MAX.multipliedBy(3));

        assertThat(connection.isOpen()).isTrue();
    }

    /** Its client is slow, or far away. */
    @Test
    void answerThatIsStillBeingSentKeepsItOpen() {
        EmbeddedChannel slow = new EmbeddedChannel() {
            @Override
            protected void doWrite(ChannelOutboundBuffer unsent) {
                // The socket takes nothing now.
            }
        };
        slow.freezeTime();
        slow.pipeline().addLast(new HttpServerCodec());
        IdleGuard.install(slow, IDLE_MAX);
        slow.writeInbound(
                Unpooled.copiedBuffer("GET /v0/entity?id=k HTTP/1.1\r\nHost: k\r\n\r\n", StandardCharsets.US_ASCII));
        var _ = slow.writeOneOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        slow.flushOutbound();

        slow.advanceTimeBy(IDLE_MAX.multipliedBy(3).toNanos(), TimeUnit.NANOSECONDS);
        slow.runScheduledPendingTasks();

        assertThat(slow.isOpen()).isTrue();
        var _ = slow.close();
        slow.finishAndReleaseAll();
    }

    @Test
    void timeCountsFromTheLastAnswer() {
        ask();
        pass(IDLE_MAX.minusSeconds(1));
        answer(HttpResponseStatus.OK);

        pass(IDLE_MAX.minusMillis(1));
        assertThat(connection.isOpen()).isTrue();
        pass(Duration.ofMillis(1));

        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void invitationToGoOnIsNoAnswer() {
        ask();
        answer(HttpResponseStatus.CONTINUE);

        pass(IDLE_MAX.multipliedBy(3));

        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void allOfSeveralRequestsMustBeAnswered() {
        ask();
        ask();
        answer(HttpResponseStatus.OK);

        pass(IDLE_MAX.multipliedBy(3));

        assertThat(connection.isOpen()).isTrue();
    }
}
