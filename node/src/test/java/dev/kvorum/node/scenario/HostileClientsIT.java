package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.replica.PeerOperation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slow, broken and greedy clients, on sockets of their own, on both ports. The node survives all of it. */
@Timeout(60)
@Tag("check")
class HostileClientsIT {
    private static final int VALUE_MAX = 64 << 10;

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                1,
                "--kvorum.http.value-max=64KB",
                "--kvorum.http.header-timeout=1s",
                "--kvorum.http.body-timeout=1s",
                "--kvorum.http.idle-timeout=2s");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void survived() {
        eventually("it serves", HostileClientsIT::serves);
    }

    private static boolean serves() {
        NodeClient client = cluster.node(0).client();
        try {
            assertThat(client.put("survivor", "yes", "").statusCode()).isEqualTo(201);
            assertThat(text(client.get("survivor", ""))).isEqualTo("yes");
            return true;
        } catch (UncheckedIOException e) {
            // The connection may be closed just then, as it has been idle for two seconds; that it is not answered is
            // no excuse.
            assertThat(e).hasCauseInstanceOf(IOException.class).cause().isNotInstanceOf(HttpTimeoutException.class);
            return false;
        }
    }

    private static RawClient raw() {
        return new RawClient(cluster.node(0).apiPort());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v0/entity?id=%zz",
                "/v0/entity?id=%4",
                "/v0/entity?id=%",
                "/v0/entity?id=a b",
                "/v0/entity?id=\u00e9"
            })
    void targetThatIsNoUriIsRefused(String target) throws IOException {
        assertThat(raw().untilClosed("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .contains(" 400 ");
    }

    @Test
    void tooLargeAValueIsRefusedWithoutReadingItAll() throws IOException {
        String declared = "PUT /v0/entity?id=large HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n";

        assertThat(raw().untilClosed(declared))
                .contains(" 413 ")
                .contains("longer than " + VALUE_MAX); // Not a byte of it was sent.
    }

    @Test
    void tooLargeAValueOfUndeclaredLengthIsRefusedOnTheWay() throws IOException {
        String chunk = "1000\r\n" + "x".repeat(4096) + "\r\n";
        String endless = "PUT /v0/entity?id=large HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + chunk.repeat(VALUE_MAX / 4096 + 2);

        assertThat(raw().untilClosed(endless)).contains(" 413 ");
        assertThat(cluster.node(0).client().get("large", "").statusCode()).isEqualTo(404);
    }

    @Test
    void headThatTricklesIsCutOff() throws IOException {
        assertThat(raw().isCutOffWhileSending("GET /v0/entity?id=a HTTP/1.1\r\nX: " + "x".repeat(4000)))
                .isTrue();
    }

    @Test
    void lateHeadIsAnsweredThoughItsClientSendsOn() throws IOException {
        try (Socket socket = raw().open()) {
            assertThat(RawClient.exchange(socket, "GET /v0/entity?id=none HTTP/1.1\r\nHost: x\r\n\r\n", ""))
                    .startsWith("HTTP/1.1 404 ");
            socket.getOutputStream().write("GET /v0/ent".getBytes(StandardCharsets.US_ASCII));
            char first = (char) socket.getInputStream().read();
            for (int i = 0; i < 100; i++) {
                socket.getOutputStream().write(new byte[1 << 16]); // More than the buffers of both sides hold.
            }

            assertThat(first + new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 408 ")
                    .contains("urn:kvorum:problem:late-head", "within 1000 ms");
        }
    }

    @Test
    void bodyThatDoesNotArriveIsTimedOut() throws IOException {
        assertThat(raw().untilClosed("PUT /v0/entity?id=late HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf"))
                .contains(" 408 ")
                .contains("did not arrive within 1000 ms");
        assertThat(cluster.node(0).client().get("late", "").statusCode()).isEqualTo(404);
    }

    @Test
    void bodiesThatNobodyReadsKeepNoConnectionOpen() throws IOException {
        assertThat(raw().untilClosed(
                                "GET /v0/entity?id=unread HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\npart"))
                .contains(" 404 ");
        assertThat(raw().untilClosed("PUT /v0/entity?id= HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\npart"))
                .contains(" 400 ");
        assertThat(raw().untilClosed("POST /v0/entity?id=a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\npart"))
                .contains(" 405 ");
    }

    @Test
    void clientThatGoesAwayIsCountedAndNoErrorOfTheNode() throws IOException {
        double goneBefore = cluster.node(0).counted("kvorum.client.gone");
        for (int i = 0; i < 10; i++) {
            try (Socket socket = raw().open()) {
                String head = "PUT /v0/entity?id=gone HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc";
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            }
        }

        eventually("all are counted", () -> cluster.node(0).counted("kvorum.client.gone") >= goneBefore + 10);
        assertThat(cluster.node(0).counted("kvorum.client.gone")).isEqualTo(goneBefore + 10);
        assertThat(cluster.node(0).counted("kvorum.client.failed")).isZero();
    }

    @Test
    void connectionThatSaysNothingIsClosed() throws IOException {
        assertThat(raw().untilClosed("")).isEmpty();
    }

    @Test
    void connectionThatSaysNothingMoreAfterAnAnswerIsClosed() throws IOException {
        RawClient management = new RawClient(cluster.node(0).managementPort());

        assertThat(raw().untilClosed("GET /v0/entity?id=none HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 404 ");
        assertThat(management.untilClosed("GET /actuator/health/liveness HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void connectionThatSaysNothingIsClosedOnThePeersPortAsWell() throws IOException {
        assertThat(peers().untilClosed("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"P", "PRI * HTTP/2.0\r\n", "POST /read HTTP/1.1\r\nHost: x\r\n\r\n"})
    void whatIsNoFrameIsClosedUnansweredOnThePeersPort(String beginning) throws IOException {
        assertThat(peers().untilClosed(beginning)).isEmpty();
    }

    private static RawClient peers() {
        return new RawClient(cluster.node(0).peerPort());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000\u0001\u0002\u0003\r\n\r\n",
                "GET\r\n\r\n",
                "GET / HTTP/9.9\r\n\r\n",
                "PUT /v0/entity?id=a HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                "PUT /v0/entity?id=a HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
                "PUT /v0/entity?id=a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
            })
    void garbageIsRefusedOrCutOff(String garbage) throws IOException {
        String answer = raw().untilClosed(garbage);

        assertThat(answer).matches(Pattern.compile("|HTTP/... (4|505).*", Pattern.DOTALL));
    }

    /** The body of one request and the head of the next arrive in pieces of any size, after answers that read no body. */
    @Test
    void connectionThatIsKeptAliveServesRequestAfterRequest() throws IOException {
        try (Socket socket = raw().open()) {
            socket.setTcpNoDelay(true);
            for (int i = 0; i < 500; i++) {
                assertThat(RawClient.exchange(
                                socket, "POST /v0/entity?id=kept HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", ""))
                        .startsWith("HTTP/1.1 405");
                assertThat(RawClient.exchange(
                                socket,
                                "PUT /v0/entity?id=kept HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n",
                                "yes"))
                        .startsWith("HTTP/1.1 201");
                assertThat(RawClient.exchange(socket, "GET /v0/entity?id=kept HTTP/1.1\r\nHost: x\r\n\r\n", ""))
                        .startsWith("HTTP/1.1 200");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 | ''
            2 | ''
            2 | a
            2 | zzzz
            99 | a
            99 | 12345678
            3 | ''
            3 | 12345678{
            3 | 12345678{}
            3 | 12345678null
            17 | ''
            19 | 12345678{}
            20 | 12345678[]
            """)
    void garbageOnThePeersPortIsRefused(int operation, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);

        assertThat(PeerCalls.post(cluster.node(0).peerPort(), "", operation, bytes)
                        .statusCode())
                .isIn(400, 409);
    }

    @Test
    void cellThatIsNoneIsRefusedOnThePeersPort() {
        byte[] call = new byte[2 + 1 + 40];
        call[1] = 1;
        call[2] = 'k';
        call = PeerCalls.atItsEpoch(cluster.node(0), call);

        assertThat(PeerCalls.post(cluster.node(0), PeerOperation.WRITE, call).statusCode())
                .isEqualTo(400);
        assertThat(cluster.node(0).client().get("k", "").statusCode()).isEqualTo(404);
    }

    @Test
    void callFromAnotherClusterIsRefused() {
        assertThatThrownBy(() -> PeerCalls.post(cluster.node(0).peerPort(), "other", 1, new byte[] {'k'}))
                .isInstanceOf(CallFailedException.class)
                .hasMessageContaining("this is a member of cluster");
    }
}
