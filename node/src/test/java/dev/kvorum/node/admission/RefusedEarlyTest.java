package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.http.PortLimits;
import dev.kvorum.node.http.PortLimits.Port;
import dev.kvorum.node.http.client.ClientHandler;
import dev.kvorum.node.http.client.ClientMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A port whose gate turns everybody away, on real sockets: each refusal reaches its client. */
@Timeout(60)
class RefusedEarlyTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration BODY_MAX = Duration.ofMillis(200);
    private static final Duration BURST = Duration.ofMillis(50);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PortLimits limits = PortLimits.of(Port.CLIENTS, 100, LONG, LONG, LONG, meters);
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final AdmissionMetrics metrics = new AdmissionMetrics(meters, new ClientMetrics(meters)::refused);
    private final Resting resting = new Resting();
    private final Gate gate = new Gate(
            time, () -> time.now(TimeUnit.NANOSECONDS), () -> 0, () -> 1, BURST, new Entrance.Events(resting, metrics));
    private final Entrance entrance = new Entrance(gate, new MemoryLimit(1, new ByteBudget(1), 1), resting, metrics);
    private final LoopResources loops = LoopResources.create("refused-early-test", 1, true);
    private DisposableServer server;

    @BeforeEach
    void start() {
        var _ = gate.admit(Mono::never, () -> {}).subscribe();
        for (Duration wait : List.of(BURST, Duration.ofMillis(4))) {
            var _ = gate.admit(Mono::never, () -> {}).subscribe(value -> {}, refused -> {});
            time.advanceTimeBy(wait);
        }
        assertThat(gate.turnsAway()).isTrue();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .runOn(loops)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .doOnChannelInit((observer, channel, remote) -> install(channel))
                .bindNow();
    }

    private void install(Channel channel) {
        String codec = channel.pipeline().context(HttpServerCodec.class).name();
        channel.pipeline().addAfter(codec, "early", new EarlyRefusal(entrance, ClientHandler.ENTITY, BODY_MAX));
        limits.guardHttp1(channel, status -> {});
    }

    @AfterEach
    void stop() {
        server.disposeNow();
        loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block();
        time.dispose();
    }

    private Socket open() throws IOException {
        return new RawClient(server.port()).open();
    }

    private static void send(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    @Test
    void clientWhoseBodyIsLateIsAnsweredThoughItSendsOn() throws IOException {
        try (Socket socket = open()) {
            send(socket, "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 60000\r\n\r\nva");
            char first = (char) socket.getInputStream().read();
            for (int i = 0; i < 100; i++) {
                send(socket, "x".repeat(1 << 16)); // More than the buffers of both sides hold.
            }

            assertThat(first + rest(socket))
                    .startsWith("HTTP/1.1 408 ")
                    .containsIgnoringCase("connection: close")
                    .contains("urn:kvorum:problem:late-body", "within 200 ms")
                    .containsOnlyOnce("HTTP/1.1");
        }
    }
}
