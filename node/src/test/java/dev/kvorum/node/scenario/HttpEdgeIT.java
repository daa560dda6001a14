package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.TestCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may come over the wire, and what is answered. The node survives all of it. */
@Timeout(60)
class HttpEdgeIT {
    private static final int VALUE_MAX = 64 << 10;
    private static final Pattern CONTENT_LENGTH = Pattern.compile("Content-Length: (\\d+)");

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                1,
                "--kvorum.http.value-max=64KB",
                "--kvorum.http.header-timeout=300ms",
                "--kvorum.http.body-timeout=300ms",
                "--kvorum.http.idle-timeout=1s",
                "--kvorum.http.bodies=1MB",
                "--kvorum.storage.queue=2");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void survived() {
        assertThat(cluster.node(0).client().put("survivor", "yes", "").statusCode())
                .isEqualTo(201);
        assertThat(text(cluster.node(0).client().get("survivor", ""))).isEqualTo("yes");
    }

    private static HttpResponse<byte[]> send(String method, String target) {
        return cluster.node(0).client().send(method, target, BodyPublishers.noBody());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /                                     | 400 | nothing is served at /
            GET    | /v0/entity/                           | 400 | nothing is served at /v0/entity/
            GET    | /v0/entities?id=a                     | 400 | nothing is served at
            POST   | /v0/entity?id=a                       | 405 | POST is not served here
            PATCH  | /v0/entity?id=a                       | 405 | there are GET, HEAD, PUT, DELETE
            DELETE | /v0/topology                          | 405 | there are GET, HEAD
            GET    | /v0/entity                            | 400 | id is missing
            GET    | /v0/entity?                           | 400 | id is missing
            GET    | /v0/entity?id=                        | 400 | the key is empty
            PUT    | /v0/entity?id=                        | 400 | the key is empty
            DELETE | /v0/entity?id=                        | 400 | the key is empty
            GET    | /v0/entity?id                         | 400 | has no value
            GET    | /v0/entity?id=a&id=b                  | 400 | given twice
            GET    | /v0/entity?id=a&ack=1&ack=1           | 400 | given twice
            GET    | /v0/entity?id=a&from=1&from=1         | 400 | given twice
            GET    | /v0/entity?id=a&akc=1                 | 400 | "akc" is not known
            GET    | /v0/entity?id=a&ack=one               | 400 | ack is "one"
            GET    | /v0/entity?id=a&ack=                  | 400 | ack is ""
            GET    | /v0/entity?id=a&ack=0                 | 400 | ack is "0"
            GET    | /v0/entity?id=a&ack=-1                | 400 | ack is "-1"
            GET    | /v0/entity?id=a&ack=1.5               | 400 | ack is "1.5"
            GET    | /v0/entity?id=a&ack=99999999999999    | 400 | ack is "99999999999999"
            GET    | /v0/entity?id=a&from=0                | 400 | from is "0"
            PUT    | /v0/entity?id=a&ack=2&from=1          | 400 | ack is 2, but must be at most from, which is 1
            PUT    | /v0/entity?id=a&ack=2                 | 400 | where the request does not say it
            GET    | /v0/entity?id=a&ack=1&from=2          | 400 | the cluster has 1 members
            GET    | /v0/entity?id=%FF%FE                  | 400 | not UTF-8
            """)
    void requestThatCanNotBeServedIsRefusedWithTheReason(String method, String target, int status, String reason) {
        HttpResponse<byte[]> response = send(method, target);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(text(response).replace("\\\"", "\"")).contains(reason).contains("\"status\":" + status);
    }

    @Test
    void wrongMethodIsToldTheRightOnes() {
        assertThat(send("POST", "/v0/entity?id=a").headers().firstValue("Allow"))
                .hasValue("GET, HEAD, PUT, DELETE");
        assertThat(send("PUT", "/v0/topology").headers().firstValue("Allow")).hasValue("GET, HEAD");
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
        assertThat(raw("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .contains(" 400 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "two words", "a+b", "ключ", "鍵", "🔑", "a/b?c&d=e#f", "%zz", "..", "\u0000", "\n", "ack=1"})
    void keyOfAnyUtf8IsStoredUnderItself(String key) {
        cluster.node(0).client().put(key, "value of " + key, "");

        assertThat(text(cluster.node(0).client().get(key, ""))).isEqualTo("value of " + key);
        assertThat(cluster.node(0).client().get(key + "x", "").statusCode()).isEqualTo(404);
    }

    @Test
    void plusInAKeyIsASpaceAsInWebForms() {
        cluster.node(0).client().put("web form", "value", "");

        assertThat(text(send("GET", "/v0/entity?id=web+form"))).isEqualTo("value");
        assertThat(text(send("GET", "/v0/entity?id=web%20form"))).isEqualTo("value");
    }

    @Test
    void longestKeyIsStoredAndALongerOneRefused() {
        assertThat(cluster.node(0).client().put("k".repeat(1024), "value", "").statusCode())
                .isEqualTo(201);
        assertThat(cluster.node(0).client().get("k".repeat(1024), "").statusCode())
                .isEqualTo(200);
        assertThat(text(cluster.node(0).client().get("k".repeat(1025), ""))).contains("the longest is 1024");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 8192, VALUE_MAX - 1, VALUE_MAX})
    void valueUpToTheLimitComesBackAsItWas(int length) {
        byte[] value = new byte[length];
        new Random(length).nextBytes(value);

        assertThat(cluster.node(0).client().put("sized", value, "").statusCode())
                .isEqualTo(201);

        HttpResponse<byte[]> response = cluster.node(0).client().get("sized", "");
        assertThat(response.body()).isEqualTo(value);
        assertThat(response.headers().firstValue("Content-Length")).hasValue(Integer.toString(length));
    }

    @Test
    void headTellsAllButTheValue() {
        cluster.node(0).client().put("head", "value", "");

        HttpResponse<byte[]> head = cluster.node(0).client().head("head", "");

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length")).hasValue("5");
        String version = head.headers().firstValue("Kvorum-Version").orElseThrow();
        assertThat(head.headers().firstValue("ETag")).hasValue("\"" + version + "\"");
        assertThat(cluster.node(0).client().head("no such", "").statusCode()).isEqualTo(404);
    }

    @Test
    void deletingWhatIsAbsentIsAcceptedToo() {
        assertThat(cluster.node(0).client().delete("never was", "").statusCode())
                .isEqualTo(202);
    }

    @Test
    void tooLargeAValueIsRefusedWithoutReadingItAll() throws IOException {
        String declared = "PUT /v0/entity?id=large HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n";

        assertThat(raw(declared)).contains(" 413 ").contains("longer than " + VALUE_MAX); // Not a byte of it was sent.
    }

    @Test
    void tooLargeAValueOfUndeclaredLengthIsRefusedOnTheWay() throws IOException {
        String chunk = "1000\r\n" + "x".repeat(4096) + "\r\n";
        String endless = "PUT /v0/entity?id=large HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + chunk.repeat(VALUE_MAX / 4096 + 2);

        assertThat(raw(endless)).contains(" 413 ");
        assertThat(cluster.node(0).client().get("large", "").statusCode()).isEqualTo(404);
    }

    @Test
    void headThatTricklesIsCutOff() throws IOException {
        assertThat(isCutOffWhileSending("GET /v0/entity?id=a HTTP/1.1\r\nX: " + "x".repeat(4000)))
                .isTrue();
    }

    @Test
    void bodyThatDoesNotArriveIsTimedOut() throws IOException {
        assertThat(raw("PUT /v0/entity?id=late HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf"))
                .contains(" 408 ")
                .contains("did not arrive within 300 ms");
        assertThat(cluster.node(0).client().get("late", "").statusCode()).isEqualTo(404);
    }

    @Test
    void bodiesThatNobodyReadsKeepNoConnectionOpen() throws IOException {
        assertThat(raw("GET /v0/entity?id=unread HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\npart"))
                .contains(" 404 ");
        assertThat(raw("PUT /v0/entity?id= HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\npart"))
                .contains(" 400 ");
        assertThat(raw("POST /v0/entity?id=a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\npart"))
                .contains(" 405 ");
    }

    @Test
    void bodiesOnTopOfTheirBudgetAreRefusedAtOnce() throws IOException {
        String begun = "PUT /v0/entity?id=budget HTTP/1.1\r\nHost: x\r\nContent-Length: " + VALUE_MAX + "\r\n\r\nbegun";
        List<Socket> uploads = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                uploads.add(connect());
                uploads.getLast().getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
            }
            eventually("all bytes are taken", () -> bytesOfBodies() == 16 * VALUE_MAX);

            assertThat(raw(begun)).contains(" 503 ").contains("Retry-After: 1").contains("overloaded");
        } finally {
            for (Socket upload : uploads) {
                upload.close();
            }
        }
        eventually("all bytes are given back", () -> bytesOfBodies() == 0);
    }

    private static double bytesOfBodies() {
        return cluster.node(0).meters().get("kvorum.http.body.bytes").gauge().value();
    }

    @Test
    void clientThatGoesAwayIsCountedAndNoErrorOfTheNode() throws IOException {
        double goneBefore = count("kvorum.client.gone");
        for (int i = 0; i < 10; i++) {
            try (Socket socket = connect()) {
                String head = "PUT /v0/entity?id=gone HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc";
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            }
        }

        eventually("all are counted", () -> count("kvorum.client.gone") >= goneBefore + 10);
        assertThat(count("kvorum.client.failed")).isZero();
    }

    private static double count(String meter) {
        return cluster.node(0).meters().get(meter).counter().count();
    }

    @Test
    void connectionThatSaysNothingIsClosed() throws IOException {
        assertThat(raw("")).isEmpty();
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
        String answer = raw(garbage);

        assertThat(answer).matches(Pattern.compile("|HTTP/... 4.*", Pattern.DOTALL));
    }

    /** The body of one request and the head of the next arrive in pieces of any size, after answers that read no body. */
    @Test
    void connectionThatIsKeptAliveServesRequestAfterRequest() throws IOException {
        try (Socket socket = connect()) {
            socket.setTcpNoDelay(true);
            for (int i = 0; i < 500; i++) {
                exchange(socket, "POST /v0/entity?id=kept HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "", 405);
                exchange(socket, "PUT /v0/entity?id=kept HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n", "yes", 201);
                exchange(socket, "GET /v0/entity?id=kept HTTP/1.1\r\nHost: x\r\n\r\n", "", 200);
            }
        }
    }

    private static void exchange(Socket socket, String head, String body, int status) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        out.write(body.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        String answer = "";
        while (!answer.endsWith("\r\n\r\n")) {
            answer += (char) socket.getInputStream().read();
        }
        assertThat(answer).startsWith("HTTP/1.1 " + status);
        Matcher length = CONTENT_LENGTH.matcher(answer);
        assertThat(length.find()).isTrue();
        socket.getInputStream().readNBytes(Integer.parseInt(length.group(1)));
    }

    @Test
    void overloadIsRefusedAtOnceWithRetryAfter() {
        List<HttpResponse<byte[]>> refused = new ArrayList<>();
        for (int round = 0; round < 200 && refused.isEmpty(); round++) {
            List<CompletableFuture<HttpResponse<byte[]>>> burst = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                burst.add(cluster.node(0).client().putLater("burst-" + i, "x".repeat(10_000), ""));
            }
            burst.stream()
                    .map(CompletableFuture::join)
                    .filter(answer -> answer.statusCode() != 201)
                    .forEach(refused::add);
        }

        assertThat(refused).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(text(answer)).contains("overloaded");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /replica/read  | ''       | 400
            /replica/write | ''       | 400
            /replica/write | a        | 400
            /replica/write | zzzz     | 400
            /replica/none  | a        | 400
            """)
    void garbageOnThePeersPortIsRefused(String path, String body, int status) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);

        assertThat(PeerCalls.post(cluster.node(0), path, bytes).statusCode()).isEqualTo(status);
    }

    @Test
    void cellThatIsNoneIsRefusedOnThePeersPort() {
        byte[] call = new byte[2 + 1 + 40];
        call[1] = 1;
        call[2] = 'k';

        assertThat(PeerCalls.post(cluster.node(0), "/replica/write", call).statusCode())
                .isEqualTo(400);
        assertThat(cluster.node(0).client().get("k", "").statusCode()).isEqualTo(404);
    }

    @Test
    void callFromAnotherClusterIsRefused() {
        HttpResponse<byte[]> response =
                PeerCalls.post(cluster.node(0), "/replica/read", new byte[] {'k'}, "Kvorum-Cluster", "other");

        assertThat(response.statusCode()).isEqualTo(421);
    }

    @Test
    void topologyNamesMembersAndTheOwnersOfEveryPartition() {
        HttpResponse<byte[]> response = send("GET", "/v0/topology");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(text(response))
                .contains("\"cluster\":\"test\"")
                .contains("\"epoch\":1")
                .contains("\"id\":\"n1\"")
                .contains("\"partitions\":[[\"n1\"],[\"n1\"]");
    }

    /** Sends that, and returns what comes until the node closes the connection. */
    private static String raw(String request) throws IOException {
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return untilClosed(socket);
        }
    }

    /** Sends that byte by byte; whether the node closes the connection before all is sent. */
    private static boolean isCutOffWhileSending(String request) throws IOException {
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            socket.setSoTimeout(5);
            for (byte b : request.getBytes(StandardCharsets.UTF_8)) {
                out.write(b);
                out.flush();
                if (isClosed(socket)) {
                    return true;
                }
            }
            return false;
        } catch (SocketException e) {
            return true; // Reset: closed as well.
        }
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static Socket connect() throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), cluster.node(0).apiPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static String untilClosed(Socket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        InputStream in = socket.getInputStream();
        try {
            for (int b = in.read(); b >= 0; b = in.read()) {
                answer.append((char) b);
            }
        } catch (SocketException e) {
            return answer.toString(); // Reset after the answer: closed as well.
        }
        return answer.toString();
    }
}
