package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every answer reaches the client, however the client sends its requests and ends its connection. On raw sockets. */
@Timeout(60)
class ClientConversationIT {
    private static final int SENT = 6 << 20; // More than the buffers of both sides hold.

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(directory, 1, "--kvorum.http.value-max=64KB");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static RawClient raw() {
        return new RawClient(cluster.node(0).apiPort());
    }

    private static String get(String key, String... headers) {
        return "GET /v0/entity?id=" + key + " HTTP/1.1\r\nHost: x\r\n" + String.join("", headers) + "\r\n";
    }

    private static String put(String key, String value) {
        return "PUT /v0/entity?id=" + key + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + value.length() + "\r\n\r\n"
                + value;
    }

    private static void send(Socket socket, String request) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(request.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /** To the end of the stream; a reset fails. */
    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static List<String> statuses(String answers) {
        return STATUS.matcher(answers).results().map(status -> status.group(1)).toList();
    }

    @Test
    void pipelinedRequestsAreAllAnsweredInOrderThoughTheLastOneCloses() throws IOException {
        try (Socket socket = raw().open()) {
            send(socket, put("p1", "one") + put("p2", "two") + get("p1") + get("p2", "Connection: close\r\n"));

            assertThat(rest(socket).replaceAll("(?s)HTTP/1.1 (\\d+).*?\r\n\r\n", "$1 "))
                    .isEqualTo("201 201 200 one200 two");
        }
    }

    @Test
    void requestsBehindOneThatClosesAreNotServed() throws IOException {
        try (Socket socket = raw().open()) {
            send(socket, put("p3", "x") + get("p3", "Connection: close\r\n") + put("p4", "never"));

            assertThat(rest(socket).split("HTTP/1.1", -1)).hasSize(3);
        }
        assertThat(cluster.node(0).client().get("p4", "").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 50, 127, 128, 129, 400})
    void manyPipelinedRequestsAreAnsweredInOrderUntilTheConnectionCloses(int requests) throws IOException {
        StringBuilder pipeline = new StringBuilder();
        for (int i = 0; i < requests; i++) {
            pipeline.append(put("many-" + i, "v"));
        }
        try (Socket socket = raw().open()) {
            send(socket, pipeline + get("many-0", "Connection: close\r\n"));

            String answers = rest(socket);
            int answered = answers.split("HTTP/1.1 201", -1).length - 1;
            assertThat(answered).isBetween(Math.min(requests, 127), requests);
            assertThat(answers).contains("connection: close");
        }
    }

    @Test
    void refusedRequestDoesNotOvertakeTheAnswersBeforeIt() throws IOException {
        try (Socket socket = raw().open()) {
            send(
                    socket,
                    put("p5", "v") + "GET /v0/entity?id=%zz HTTP/1.1\r\nHost: x\r\n\r\n" + get("p5")
                            + "nonsense\r\n\r\n");

            assertThat(statuses(rest(socket))).containsExactly("201", "400", "200", "400");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | ''  | 404
            PUT    | abc | 201
            DELETE | ''  | 202
            """)
    void clientThatShutsDownItsSideIsAnswered(String method, String body, int status) throws IOException {
        try (Socket socket = raw().open()) {
            send(
                    socket,
                    method + " /v0/entity?id=half-" + method + " HTTP/1.1\r\nHost: x\r\nContent-Length: "
                            + body.length() + "\r\n\r\n" + body);
            socket.shutdownOutput();

            assertThat(rest(socket)).startsWith("HTTP/1.1 " + status);
        }
    }

    @Test
    void clientThatShutsDownItsSideGetsTheAnswersToAllItsRequests() throws IOException {
        try (Socket socket = raw().open()) {
            send(
                    socket,
                    put("h1", "a")
                            + put("h2", "b")
                            + get("h1")
                            + put("h3", "cut").replace("cut", "c"));
            socket.shutdownOutput();

            String answers = rest(socket);
            assertThat(answers.split("HTTP/1.1 20[01]", -1)).hasSize(4);
        }
        assertThat(cluster.node(0).client().get("h3", "").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /v0/ent",
                "GET /v0/entity?id=a HTTP/1.1\r\nHos",
                "PUT /v0/entity?id=a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf",
                "PUT /v0/entity?id=a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha"
            })
    void halfOpenConnectionThatCanAskNothingIsClosedAtOnce(String beginning) throws IOException {
        try (Socket socket = raw().open()) {
            send(socket, beginning);
            socket.shutdownOutput();

            assertThat(rest(socket)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PUT  | /v0/entity?id=big      | Content-Length: 6291456                          | 413
            PUT  | /v0/entity?id=big      | Content-Length: 6291456\\r\\nExpect: 100-continue | 413
            PUT  | /v0/entity?id=big      | Transfer-Encoding: chunked                       | 413
            PUT  | /v0/entity?id=         | Content-Length: 6291456                          | 400
            POST | /v0/entity?id=big      | Content-Length: 6291456                          | 405
            GET  | /v0/entity?id=big      | Content-Length: 6291456                          | 404
            PUT  | /v0/entity?id=%zz      | Content-Length: 6291456                          | 400
            PUT  | /nothing               | Transfer-Encoding: chunked                       | 400
            PUT  | /v0/entity?id=big      | Content-Length: 6291456\\r\\nExpect: magic       | 417
            PUT  | /v0/entity?id=big      | Transfer-Encoding: gzip, chunked                 | 501
            """)
    void clientThatSendsAllBeforeItReadsStillGetsAnEarlyAnswer(String method, String target, String framing, int status)
            throws IOException {
        String head =
                method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + framing.replace("\\r\\n", "\r\n") + "\r\n\r\n";
        boolean isChunked = framing.contains("chunked");
        String piece = (isChunked ? "10000\r\n" : "") + "x".repeat(1 << 16) + (isChunked ? "\r\n" : "");
        try (Socket socket = raw().open()) {
            send(socket, head);
            for (int sent = 0; sent < SENT; sent += 1 << 16) {
                send(socket, piece); // A reset fails here, or at the next one.
            }

            assertThat(rest(socket))
                    .startsWith("HTTP/1.1 " + status)
                    .containsIgnoringCase("connection: close")
                    .containsIgnoringCase("application/problem+json");
        }
    }

    @Test
    void brokenChunkIsAnsweredWithAProblem() throws IOException {
        try (Socket socket = raw().open()) {
            send(
                    socket,
                    "PUT /v0/entity?id=chunk HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n");
            send(socket, "x".repeat(100_000));

            assertThat(rest(socket)).startsWith("HTTP/1.1 400").contains("urn:kvorum:problem:malformed-request");
        }
        assertThat(cluster.node(0).client().get("chunk", "").statusCode()).isEqualTo(404);
    }

    @Test
    void clientThatSendsWithoutEndIsCutOff() throws IOException {
        double before =
                cluster.node(0).meters().get("kvorum.http.connections").gauge().value();
        try (Socket socket = raw().open()) {
            send(socket, "PUT /v0/entity?id=endless HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n");
            byte[] piece = new byte[1 << 16];
            boolean isCutOff = false;
            for (int sent = 0; sent < 200 << 20 && !isCutOff; sent += piece.length) {
                try {
                    socket.getOutputStream().write(piece);
                } catch (IOException e) {
                    isCutOff = true;
                }
            }
            assertThat(isCutOff).isTrue();
        }
        eventually(
                "its connection is closed",
                () -> cluster.node(0)
                                .meters()
                                .get("kvorum.http.connections")
                                .gauge()
                                .value()
                        <= before);
    }

    /** It sends too little to be cut off for that. */
    @Test
    void clientThatTricklesOnAfterItsAnswerIsCutOff() throws IOException {
        try (Socket socket = raw().open()) {
            send(socket, "PUT /v0/entity?id=endless HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n");
            assertThat(rest(socket)).startsWith("HTTP/1.1 413");

            eventually("its connection is closed", () -> isCutOff(socket));
        }
    }

    private static boolean isCutOff(Socket socket) {
        try {
            send(socket, "x");
            return false;
        } catch (IOException closed) {
            return true;
        }
    }
}
