package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slow and greedy strangers on the management port. Health stays answerable. */
@Timeout(60)
@Tag("check")
class ManagementPortIT {
    private static final int CONNECTIONS_MAX = 64;
    private static final int STRANGERS = 300;
    private static final int SENT = 6 << 20; // More than the buffers of both sides hold.
    private static final String PIECE = "x".repeat(1 << 16);
    private static final String CHUNK = "10000\r\n" + PIECE + "\r\n";
    private static final String HEALTH =
            "GET /actuator/health/liveness HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    @TempDir
    static Path directory;

    static TestCluster cluster;

    private final List<Socket> strangers = new ArrayList<>();

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                1,
                "--kvorum.management.connections-max=" + CONNECTIONS_MAX,
                "--kvorum.management.body-max=1KB",
                "--kvorum.http.header-timeout=1s",
                "--kvorum.http.body-timeout=1s",
                "--kvorum.http.idle-timeout=10m"); // Longer than any test may take: other limits end what stalls.
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void end() throws IOException {
        for (Socket stranger : strangers) {
            stranger.close();
        }
    }

    private static RawClient management() {
        return new RawClient(cluster.node(0).managementPort());
    }

    @Test
    void healthIsAnsweredWhileStrangersFromAnotherAddressHoldAllConnections() throws IOException {
        for (int i = 0; i < STRANGERS; i++) {
            strangers.add(management().openFrom("127.0.0.2"));
        }
        eventually("they hold three quarters", () -> connections() >= CONNECTIONS_MAX * 3 / 4);

        for (int i = 0; i < CONNECTIONS_MAX; i++) {
            assertThat(management().untilClosed(HEALTH)).startsWith("HTTP/1.1 200");
        }
        assertThat(connections()).isLessThanOrEqualTo(CONNECTIONS_MAX);
    }

    @Test
    void healthIsAnsweredWhileStrangersFromTheSameAddressHoldAllConnections() throws IOException {
        for (int i = 0; i < STRANGERS; i++) {
            strangers.add(management().open());
        }
        eventually("they hold three quarters", () -> connections() >= CONNECTIONS_MAX * 3 / 4);

        eventually("the oldest make room", ManagementPortIT::isAlive);
    }

    private static boolean isAlive() {
        try {
            return management().untilClosed(HEALTH).startsWith("HTTP/1.1 200");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void headThatTricklesIsCutOff() throws IOException {
        assertThat(management().isCutOffWhileSending("GET /actuator/health HTTP/1.1\r\nX: " + "x".repeat(4000)))
                .isTrue();
    }

    @Test
    void headThatIsTooLongIsRefused() throws IOException {
        assertThat(management()
                        .untilClosed("GET /actuator/health HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(9000) + "\r\n\r\n"))
                .matches("(?s)|HTTP/1.1 4.*");
    }

    @Test
    void bodyThatDoesNotArriveIsTimedOut() throws IOException {
        assertThat(management().untilClosed(repair("Content-Length: 10\r\n\r\nhalf")))
                .contains(" 408 ")
                .contains("did not arrive within 1000 ms");
    }

    @Test
    void bodyThatIsTooLongIsRefused() throws IOException {
        assertThat(management().untilClosed(repair("Content-Length: 1025\r\n\r\n")))
                .contains(" 413 ")
                .contains("longer than 1024 bytes");
        assertThat(management()
                        .untilClosed(repair("Transfer-Encoding: chunked\r\n\r\n401\r\n" + "x".repeat(1025) + "\r\n")))
                .contains(" 413 ");
    }

    @Test
    void bodyThatFitsIsServed() throws IOException {
        assertThat(management().untilClosed(repair("Connection: close\r\nContent-Length: 2\r\n\r\n{}")))
                .startsWith("HTTP/1.1 200");
    }

    private static String repair(String rest) {
        return "POST /actuator/repair HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + rest;
    }

    @Test
    void slowBodyOfARequestThatIsAnsweredEndsItsConnection() throws IOException {
        try (Socket socket = management().open()) {
            String begun = "GET /actuator/health/liveness HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf";
            socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));

            assertThat(socket.getInputStream().readAllBytes()).asString().contains("HTTP/1.1 ");
        }
    }

    /** A client that sends a lot before it reads anything: a reset would fail the sending, or destroy the answer. */
    private static String answerAfterAllIsSent(String beginning, String piece, boolean waits) throws IOException {
        try (Socket socket = management().open()) {
            OutputStream out = socket.getOutputStream();
            out.write(beginning.getBytes(StandardCharsets.US_ASCII));
            String first = waits ? String.valueOf((char) socket.getInputStream().read()) : "";
            for (int sent = 0; sent < SENT; sent += piece.length()) {
                out.write(piece.getBytes(StandardCharsets.US_ASCII));
            }
            return first + new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void clientThatSendsTooLongABodyStillGetsTheAnswer() throws IOException {
        assertThat(answerAfterAllIsSent(repair("Content-Length: 6291456\r\n\r\n"), PIECE, false))
                .startsWith("HTTP/1.1 413")
                .contains("urn:kvorum:problem:too-large");
        assertThat(answerAfterAllIsSent(repair("Transfer-Encoding: chunked\r\n\r\n"), CHUNK, false))
                .startsWith("HTTP/1.1 413")
                .contains("urn:kvorum:problem:too-large");
    }

    @Test
    void clientThatSendsItsBodyTooLateStillGetsTheAnswer() throws IOException {
        assertThat(answerAfterAllIsSent(repair("Content-Length: 1000\r\n\r\nhalf"), PIECE, true))
                .startsWith("HTTP/1.1 408")
                .contains("urn:kvorum:problem:late-body");
    }

    @Test
    void clientThatSendsOnAfterTheWholeAnswerStillGetsIt() throws IOException {
        String health = "GET /actuator/health/liveness HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

        assertThat(answerAfterAllIsSent(health, CHUNK, true))
                .startsWith("HTTP/1.1 200")
                .contains("UP");
    }

    @Test
    void clientThatSendsItsHeadTooLateStillGetsAnAnswer() throws IOException {
        assertThat(answerAfterAllIsSent("GET /actuator/health HTTP/1.1\r\nHo", PIECE, true))
                .startsWith("HTTP/1.1 408")
                .containsIgnoringCase("connection: close")
                .contains("urn:kvorum:problem:late-head");
    }

    private static double connections() {
        return cluster.node(0)
                .meters()
                .get("kvorum.management.connections")
                .gauge()
                .value();
    }
}
