package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.frame.StalledCaller;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Callers that stop in the middle of something on the peers' port: the node closes each connection within the documented time. All times that could close it
 * later are longer than the test waits.
 */
@Tag("check")
@Timeout(60)
class StalledMembersIT {
    private static final int BEAT_MILLIS = 100; // Four of them are missed before the node gives up.

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                1,
                "--kvorum.peer.timeout=500ms",
                "--kvorum.http.header-timeout=1s",
                "--kvorum.http.idle-timeout=10m",
                "--kvorum.http.send-timeout=10m");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void nothingIsHeld() {
        eventually("no connection is left", () -> gauge("kvorum.peer.port.connections") == 0);
        eventually("no memory is taken", () -> gauge("kvorum.peer.body.bytes") == 0);
    }

    private static double gauge(String name) {
        return cluster.node(0).meters().get(name).gauge().value();
    }

    private static double silent() {
        return cluster.node(0)
                .meters()
                .get("kvorum.frames.silent")
                .functionCounter()
                .count();
    }

    private static Socket open() throws IOException {
        return new RawClient(cluster.node(0).peerPort()).openNarrow();
    }

    private static void send(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private static void assertIsClosed(Socket socket) throws IOException {
        socket.getInputStream().readAllBytes(); // Fails if the end does not come in time.
    }

    @Test
    void halfAGreetingIsClosed() throws IOException {
        try (Socket socket = open()) {
            send(socket, StalledCaller.halfAGreeting("test"));

            assertIsClosed(socket);
        }
    }

    @Test
    void greetingThatTricklesIsClosed() throws IOException {
        try (Socket socket = open()) {
            byte[] greeting = StalledCaller.halfAGreeting("test");
            socket.setSoTimeout(BEAT_MILLIS);
            for (int sent = 0; isOpenFor(socket); sent++) {
                assertThat(sent).as("all is sent, and the connection open").isLessThan(greeting.length);
                send(socket, new byte[] {greeting[sent]});
            }
        }
    }

    /** Waits for the socket's time-out. */
    private static boolean isOpenFor(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    @Test
    void memberThatSendsHalfACallIsClosed() throws IOException {
        double before = silent();
        try (Socket socket = open()) {
            send(socket, StalledCaller.greeting("test", BEAT_MILLIS));
            send(socket, StalledCaller.halfACall());

            assertIsClosed(socket);
        }
        assertThat(silent()).isEqualTo(before + 1);
    }

    /** It still sends, so it is not silent: the node stops listening first. */
    @Test
    void memberThatTakesNoRepliesIsClosed() throws IOException, InterruptedException {
        double before = silent();
        try (Socket socket = open()) {
            send(socket, StalledCaller.greeting("test", BEAT_MILLIS));

            Thread sender = Thread.startVirtualThread(() -> sendUntilClosed(socket));
            eventually("it is closed", () -> silent() == before + 1);
            sender.join();
        }
    }

    private static void sendUntilClosed(Socket socket) {
        byte[] signs = StalledCaller.signsOfLife(1000);
        try {
            while (true) {
                send(socket, signs);
            }
        } catch (IOException e) {
            // The connection is closed, by the node unless the test has failed.
        }
    }

    @Test
    void halfARequestOverHttpIsClosed() throws IOException {
        try (Socket socket = open()) {
            send(socket, "POST /replica/read HT".getBytes(StandardCharsets.US_ASCII));

            assertIsClosed(socket);
        }
    }
}
