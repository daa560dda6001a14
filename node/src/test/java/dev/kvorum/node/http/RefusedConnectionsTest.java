package dev.kvorum.node.http;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.http.PortLimits.Port;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A port that admits nobody, on real sockets. */
@Timeout(60)
class RefusedConnectionsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int SENT = 6 << 20; // More than the buffers of both sides hold.

    private final PortLimits limits = PortLimits.of(Port.CLIENTS, 100, LONG, LONG, LONG, new SimpleMeterRegistry());
    private final Queue<Channel> accepted = new ConcurrentLinkedQueue<>();
    private final List<Socket> sockets = new ArrayList<>();
    private DisposableServer server;

    @BeforeEach
    void start() {
        limits.connections().admitNoMore();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .doOnChannelInit((observer, channel, remote) -> {
                    limits.admit(channel);
                    accepted.add(channel);
                })
                .bindNow();
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.disposeNow();
    }

    private Socket open() throws IOException {
        Socket socket = new RawClient(server.port()).open();
        sockets.add(socket);
        return socket;
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private long held() {
        return accepted.stream().filter(Channel::isOpen).count();
    }

    @Test
    void clientThatSendsAllBeforeItReadsStillSeesTheRefusal() throws IOException {
        Socket socket = open();
        byte[] piece = new byte[1 << 16];
        for (int sent = 0; sent < SENT; sent += piece.length) {
            socket.getOutputStream().write(piece); // A reset fails here, or at the next one.
        }

        assertThat(rest(socket)).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1");
    }

    @Test
    void refusedClientThatClosesIsClosedAtOnce() throws IOException {
        for (int i = 0; i < 200; i++) {
            try (Socket socket = open()) {
                assertThat(rest(socket)).startsWith("HTTP/1.1 503 ");
            }
        }

        eventually("all are closed", () -> held() == 0);
        assertThat(accepted).hasSize(200);
    }

    /** Or strangers would hold the files of the process by being refused. */
    @Test
    void fewRefusedConnectionsAreHeldAtATime() throws IOException {
        for (int i = 0; i < 200; i++) {
            assertThat(rest(open())).startsWith("HTTP/1.1 503 ");
            assertThat(held()).isLessThanOrEqualTo(ConnectionLimit.LINGERING_MAX + 1); // One is being closed.
        }
        assertThat(held()).isPositive();

        stop();
        eventually("the places are free again", () -> held() == 0);
    }
}
