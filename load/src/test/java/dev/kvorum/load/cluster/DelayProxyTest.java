package dev.kvorum.load.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class DelayProxyTest {
    private static final Duration DELAY = Duration.ofMillis(50);

    @Test
    void bytesArriveInOrderAndNoSoonerThanTheDelayAndAnswersComeBack() throws Exception {
        try (ServerSocket upstream = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DelayProxy proxy = DelayProxy.before(upstream.getLocalPort());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            CompletableFuture<String> received = CompletableFuture.supplyAsync(() -> answerOnce(upstream, 6));
            proxy.delay(DELAY);
            long before = System.nanoTime();

            client.getOutputStream().write("abc".getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().write("def".getBytes(StandardCharsets.US_ASCII));
            int answer = client.getInputStream().read();

            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(DELAY.toNanos());
            assertThat(answer).isEqualTo('!');
            assertThat(received.join()).isEqualTo("abcdef");
        }
    }

    @Test
    void endOfTheClientReachesTheServerAfterItsLastByte() throws Exception {
        try (ServerSocket upstream = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DelayProxy proxy = DelayProxy.before(upstream.getLocalPort())) {
            proxy.delay(DELAY);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                client.getOutputStream().write('x');
            }

            try (Socket accepted = upstream.accept()) {
                assertThat(accepted.getInputStream().readAllBytes()).isEqualTo(new byte[] {'x'});
            }
        }
    }

    /** As an address that comes to lead to another machine. */
    @Test
    void connectionsEndAndNewOnesLeadToTheOtherServer() throws Exception {
        try (ServerSocket right = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket wrong = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DelayProxy proxy = DelayProxy.before(right.getLocalPort());
                Socket before = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket accepted = right.accept()) {
            proxy.leadTo(wrong.getLocalPort());

            assertThat(before.getInputStream().read()).isEqualTo(-1);
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
            try (Socket after = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                    Socket met = wrong.accept()) {
                after.getOutputStream().write('x');

                assertThat(met.getInputStream().read()).isEqualTo('x');
            }
        }
    }

    private static String answerOnce(ServerSocket upstream, int bytes) {
        try (Socket accepted = upstream.accept()) {
            String request = new String(accepted.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
            accepted.getOutputStream().write('!');
            return request;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
