package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server behind it says itself. The rest is seen on sockets, by the tests of scenarios. */
class RequestOrderTest {
    private final EmbeddedChannel connection = new EmbeddedChannel();

    @BeforeEach
    void install() {
        connection.pipeline().addLast(new HttpServerCodec());
        RequestOrder.install(connection, status -> {});
        connection.writeInbound(
                Unpooled.copiedBuffer("GET /v0/entity?id=k HTTP/1.1\r\nHost: k\r\n\r\n", StandardCharsets.US_ASCII));
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    private String sent() {
        StringBuilder sent = new StringBuilder();
        for (ByteBuf bytes = connection.readOutbound(); bytes != null; bytes = connection.readOutbound()) {
            sent.append(bytes.toString(StandardCharsets.US_ASCII));
            bytes.release();
        }
        return sent.toString();
    }

    /** Reactor Netty answers so where it can't read a request that the rules let pass. */
    @Test
    void bareRefusalOfTheServerBecomesAProblem() {
        connection.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST));

        assertThat(sent())
                .startsWith("HTTP/1.1 400 ")
                .contains("application/problem+json")
                .contains("urn:kvorum:problem:");
    }

    @Test
    void otherAnswersPassAsTheyAre() {
        connection.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NOT_FOUND));

        assertThat(sent()).isEqualTo("HTTP/1.1 404 Not Found\r\n\r\n");
    }
}
