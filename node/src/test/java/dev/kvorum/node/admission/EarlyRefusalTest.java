package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.http.client.ClientHandler;
import dev.kvorum.node.http.client.ClientMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A connection at a gate that turns everybody away, or not, with the HTTP codec before it and a server that sees what goes on behind it. */
class EarlyRefusalTest {
    private static final String GET = "GET /v0/entity?id=k HTTP/1.1\r\nHost: k\r\n\r\n";
    private static final Duration BODY_MAX = Duration.ofSeconds(10);
    private static final Duration BURST = Duration.ofMillis(50);

    private final VirtualTimeScheduler loop = VirtualTimeScheduler.create();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AdmissionMetrics metrics = new AdmissionMetrics(meters, new ClientMetrics(meters)::refused);
    private final Resting resting = new Resting();
    private final Gate gate = new Gate(
            loop, () -> loop.now(TimeUnit.NANOSECONDS), () -> 0, () -> 1, BURST, new Entrance.Events(resting, metrics));
    private final List<Object> served = new ArrayList<>();
    private EmbeddedChannel connection;

    @BeforeEach
    void connect() {
        connection = new EmbeddedChannel();
        connection.freezeTime();
        connection
                .pipeline()
                .addLast(
                        new HttpServerCodec(),
                        new EarlyRefusal(
                                new Entrance(gate, new MemoryLimit(1, new ByteBudget(1), 1), resting, metrics),
                                ClientHandler.ENTITY,
                                BODY_MAX),
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext context, Object message) {
                                served.add(message);
                                ReferenceCountUtil.release(message);
                            }
                        });
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
        loop.dispose();
    }

    private void stand() {
        var _ = gate.admit(Mono::never, () -> {}).subscribe();
        for (Duration wait : List.of(BURST, Duration.ofMillis(4))) {
            var _ = gate.admit(Mono::never, () -> {}).subscribe(value -> {}, refused -> {});
            loop.advanceTimeBy(wait);
        }
        assertThat(gate.turnsAway()).isTrue();
    }

    private void receive(String request) {
        connection.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
    }

    private String answer() {
        StringBuilder answer = new StringBuilder();
        for (ByteBuf sent = connection.readOutbound(); sent != null; sent = connection.readOutbound()) {
            answer.append(sent.toString(StandardCharsets.UTF_8));
            sent.release();
        }
        return answer.toString();
    }

    @Test
    void everythingGoesOnWhileTheGateTurnsNobodyAway() {
        receive(GET);

        assertThat(served).isNotEmpty();
        assertThat(answer()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GET,
                "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 5\r\n\r\nvalue",
                "DELETE /v0/entity?id=k HTTP/1.1\r\nHost: k\r\n\r\n"
            })
    void operationIsRefusedAndItsConnectionRests(String request) {
        stand();

        receive(request);

        assertThat(served).isEmpty();
        assertThat(answer())
                .startsWith("HTTP/1.1 503 ")
                .containsIgnoringCase("retry-after: 1\r\n")
                .containsIgnoringCase("content-type: application/problem+json\r\n")
                .endsWith(new String(Gate.OVERLOADED.toJson(), StandardCharsets.UTF_8));
        assertThat(resting.connections()).isOne();
        assertThat(connection.isOpen()).isTrue();
        assertThat(meters.get("kvorum.client.overloaded").counter().count()).isOne();
    }

    @Test
    void eachRefusalHasItsWholeAnswer() {
        stand();

        receive(GET);
        String first = answer();
        resting.wake(1);
        receive(GET);

        assertThat(answer()).isEqualTo(first).isNotEmpty();
    }

    /** {@link dev.kvorum.node.http.RequestOrder} does so where the client has shut down its side. */
    @Test
    void refusalWhoseHeadersAreChangedOnTheirWayChangesNoOther() {
        ChannelOutboundHandlerAdapter closing = new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                HttpUtil.setKeepAlive((HttpResponse) message, false);
                var _ = context.write(message, promise);
            }
        };
        connection.pipeline().addAfter(connection.pipeline().firstContext().name(), "closing", closing);
        stand();

        receive(GET);
        assertThat(answer()).containsIgnoringCase("connection: close");
        connection.pipeline().remove(closing);
        resting.wake(1);
        receive(GET);

        assertThat(answer()).startsWith("HTTP/1.1 503 ").doesNotContainIgnoringCase("connection: close");
    }

    /** Or what it sends at a time would be answered without a bound, and kept until it is taken. */
    @Test
    void ofManyRequestsAtOnceOneIsAnsweredHere() {
        stand();

        receive(GET.repeat(100));

        assertThat(answer()).containsOnlyOnce("HTTP/1.1 503 ");
        assertThat(served.stream().filter(HttpRequest.class::isInstance)).hasSize(99);
    }

    @Test
    void clientThatDoesNotTakeItsAnswersGetsNoneHere() {
        stand();
        var outbound = connection.unsafe().outboundBuffer();
        outbound.setUserDefinedWritability(1, false);

        receive(GET);

        assertThat(answer()).isEmpty();
        assertThat(served).isNotEmpty();
    }

    @Test
    void nothingIsAnsweredBehindAnAnswerThatSaidItWasTheLast() {
        receive(GET);
        FullHttpResponse last = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        last.headers().set("Content-Length", 0).set("Connection", "close");
        connection.writeOutbound(last);
        var _ = answer();
        stand();

        receive(GET);

        assertThat(answer()).isEmpty();
    }

    @Test
    void bodyThatComesInPiecesIsTakenInBeforeTheAnswer() {
        stand();

        receive("PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 5\r\n\r\nva");
        assertThat(answer()).isEmpty();
        receive("lue");

        assertThat(answer()).startsWith("HTTP/1.1 503 ");
        assertThat(served).isEmpty();
    }

    @Test
    void bodyThatDoesNotComeIsNotWaitedForForEver() {
        stand();
        receive("PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 5\r\n\r\nva");

        pass(BODY_MAX.minusMillis(1));
        assertThat(connection.isOpen()).isTrue();
        pass(Duration.ofMillis(1));

        assertThat(connection.isOpen()).isFalse();
        assertThat(meters.get("kvorum.client.refused").counter().count()).isOne();
    }

    @Test
    void bodyThatCameIsNotWaitedForAnyMore() {
        stand();
        receive("PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 5\r\n\r\nva");
        receive("lue");

        pass(BODY_MAX);

        assertThat(connection.isOpen()).isTrue();
    }

    private void pass(Duration time) {
        connection.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        connection.runScheduledPendingTasks();
    }

    @Test
    void answerToHeadHasNoBody() {
        stand();

        receive("HEAD /v0/entity?id=k HTTP/1.1\r\nHost: k\r\n\r\n");

        assertThat(answer()).startsWith("HTTP/1.1 503 ").endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /v0/entities?id=k HTTP/1.1\r\nHost: k\r\n\r\n",
                "POST /v0/entity?id=k HTTP/1.1\r\nHost: k\r\n\r\n",
                "GET /v0/topology HTTP/1.1\r\nHost: k\r\n\r\n",
                "GET /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nConnection: close\r\n\r\n",
                "GET /v0/entity?id=k HTTP/1.0\r\nHost: k\r\nConnection: keep-alive\r\n\r\n",
                "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 70000\r\n\r\n",
                "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 9999999999\r\n\r\n",
                "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nTransfer-Encoding: chunked\r\n\r\n",
                "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void whatIsNotPlainGoesOn(String request) {
        stand();

        receive(request);

        assertThat(served).isNotEmpty();
        assertThat(answer()).isEmpty();
    }

    @Test
    void requestBehindAnotherThatIsNotAnsweredGoesOn() {
        receive(GET);
        stand();
        int before = served.size();

        receive(GET);
        assertThat(served).hasSizeGreaterThan(before);

        for (int i = 0; i < 2; i++) {
            FullHttpResponse answered = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            answered.headers().set("Content-Length", 0);
            connection.writeOutbound(answered);
        }
        var _ = answer();
        receive(GET);
        assertThat(answer()).startsWith("HTTP/1.1 503 ");
    }
}
