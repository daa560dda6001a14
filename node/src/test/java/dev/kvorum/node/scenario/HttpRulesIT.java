package dev.kvorum.node.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.Environment;

/**
 * The rules of RFC 9110 and RFC 9112 for a server, section by section, on raw sockets: the client port, and the management port where they
 * apply. In the tables {@code ^} stands for CR LF, and the head ends by itself.
 */
@Timeout(60)
class HttpRulesIT {
    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        // As in Kubernetes, where Spring would trust what a proxy, or anybody, says.
        cluster = TestCluster.start(
                directory, 1, "--kvorum.http.value-max=64KB", "--spring.main.cloud-platform=kubernetes");
        cluster.node(0).client().put("a", "value", "");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static RawClient clients() {
        return new RawClient(cluster.node(0).apiPort());
    }

    private static RawClient management() {
        String port = cluster.node(0).bean(Environment.class).getProperty("local.management.port");
        return new RawClient(Integer.parseInt(Objects.requireNonNull(port)));
    }

    /** Sends that, then the end of the stream; to the end of the answers. */
    private static String answers(RawClient port, String request) throws IOException {
        try (Socket socket = port.open()) {
            socket.getOutputStream()
                    .write((request.replace("^", "\r\n").replace("<TAB>", "\t").replace("<CR>", "\r") + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static void assertRefused(String answer, int status, String problem) {
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status + " ")
                .containsIgnoringCase("content-type: application/problem+json")
                .containsIgnoringCase("content-length: ")
                .contains("\"type\":\"urn:kvorum:problem:" + problem + "\"")
                .contains("\"status\":" + status)
                .doesNotContain("Exception");
        assertThat(answer.split("HTTP/1.1 ", -1)).hasSizeLessThanOrEqualTo(3); // Its detail may name the version.
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # RFC 9112, 2.2: message parsing
            GET /v0/entity?id=a HTTP/1.1^ Host: x                                         | 400 | malformed-request
            GET /v0/entity?id=a HTTP/1.1^Host: x^X: a<CR>b                                | 400 | malformed-request
            nonsense                                                                      | 400 | malformed-request
            # 2.3: version
            GET /v0/entity?id=a HTTP/2.0^Host: x                                          | 505 | unsupported-version
            GET /v0/entity?id=a HTTP/3.0^Host: x                                          | 505 | unsupported-version
            GET /v0/entity?id=a HTTP/0.9^Host: x                                          | 505 | unsupported-version
            GET /v0/entity?id=a HTTP/9.9^Host: x                                          | 505 | unsupported-version
            PRI * HTTP/2.0                                                                | 505 | unsupported-version
            GET /v0/entity?id=a HTTP/1.10^Host: x                                         | 400 | malformed-request
            GET /v0/entity?id=a HTTP/1^Host: x                                            | 400 | malformed-request
            GET /v0/entity?id=a FTP/1.1^Host: x                                           | 400 | malformed-request
            GET /v0/entity?id=a                                                           | 400 | malformed-request
            # 3.1: method
            G(T /v0/entity?id=a HTTP/1.1^Host: x                                          | 400 | malformed-request
            get /v0/entity?id=a HTTP/1.1^Host: x                                          | 405 | method-not-allowed
            BREW /v0/entity?id=a HTTP/1.1^Host: x                                         | 405 | method-not-allowed
            TRACE /v0/entity?id=a HTTP/1.1^Host: x                                        | 405 | method-not-allowed
            OPTIONS /v0/entity?id=a HTTP/1.1^Host: x                                      | 405 | method-not-allowed
            # 3.2: target
            GET /v0/entity?id=a b HTTP/1.1^Host: x                                        | 400 | malformed-request
            GET /v0/entity?id=a#b HTTP/1.1^Host: x                                        | 400 | malformed-target
            GET /v0/entity?id=%4 HTTP/1.1^Host: x                                         | 400 | malformed-target
            GET /v0/entity?id=é HTTP/1.1^Host: x                                          | 400 | malformed-target
            GET /v0/entity?id=<a> HTTP/1.1^Host: x                                        | 400 | malformed-target
            GET v0/entity?id=a HTTP/1.1^Host: x                                           | 400 | malformed-target
            GET ?id=a HTTP/1.1^Host: x                                                    | 400 | malformed-target
            GET * HTTP/1.1^Host: x                                                        | 400 | malformed-target
            GET http:///v0/entity?id=a HTTP/1.1^Host: x                                   | 400 | malformed-target
            GET http://:80/v0/entity?id=a HTTP/1.1^Host: x                                | 400 | malformed-target
            GET http://me@x/v0/entity?id=a HTTP/1.1^Host: x                               | 400 | malformed-target
            GET x:80 HTTP/1.1^Host: x                                                     | 400 | malformed-target
            GET https://x/v0/entity?id=a HTTP/1.1^Host: x                                 | 421 | misdirected-target
            CONNECT x:80 HTTP/1.1^Host: x:80                                              | 501 | unsupported-method
            OPTIONS * HTTP/1.1^Host: x                                                    | 400 | unknown-path
            # 3.2: Host
            GET /v0/entity?id=a HTTP/1.1                                                  | 400 | invalid-host
            GET http://x/v0/entity?id=a HTTP/1.1                                          | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: x^Host: x                                  | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^host: x^HOST: y                                  | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: a b                                        | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: a, b                                       | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: a/b                                        | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: me@a                                       | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: a:b                                        | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: a:65536                                    | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: :80                                        | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: a%zz                                       | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: [::1                                       | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.1^Host: []                                         | 400 | invalid-host
            GET /v0/entity?id=a HTTP/1.0^Host: a b                                        | 400 | invalid-host
            # 5: field lines
            GET /v0/entity?id=a HTTP/1.1^Host : x                                         | 400 | malformed-request
            GET /v0/entity?id=a HTTP/1.1^Host: x^X Y: z                                   | 400 | malformed-request
            GET /v0/entity?id=a HTTP/1.1^Host: x^: z                                      | 400 | malformed-request
            GET /v0/entity?id=a HTTP/1.1^Host: x^no colon                                 | 400 | malformed-request
            # 6.1: Transfer-Encoding
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: gzip, chunked^^0      | 501 | unsupported-transfer-coding
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked^Transfer-Encoding: chunked^^0 | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: gzip^Transfer-Encoding: chunked^^0 | 501 | unsupported-transfer-coding
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: gzip                  | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: identity              | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked, gzip         | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked, chunked^^0   | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked;a=b^^0        | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked^Content-Length: 5^^0 | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.0^Host: x^Transfer-Encoding: chunked^^0            | 400 | malformed-request
            # 6.2: Content-Length
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Content-Length: -1                       | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Content-Length: +1                       | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Content-Length: 0x1                      | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Content-Length: 1 2                      | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Content-Length:                          | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Content-Length: 1, 2                     | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Content-Length: 1^Content-Length: 2      | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Content-Length: 99999999999999999999     | 400 | malformed-request
            # 7.1: chunks
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked^^zz           | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked^^-1           | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked^^0x1^a        | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked^^fffffffff^a  | 400 | malformed-request
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Transfer-Encoding: chunked^^1^ab^0       | 400 | malformed-request
            # RFC 9110, 10.1.1: Expect
            PUT /v0/entity?id=b HTTP/1.1^Host: x^Expect: magic^Content-Length: 0          | 417 | unsupported-expectation
            """)
    void requestThatBreaksARuleIsRefusedWithAProblem(String request, int status, String problem) throws IOException {
        assertRefused(answers(clients(), request), status, problem);
        assertThat(cluster.node(0).client().get("b", "").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # RFC 9112, 2.2: an empty line before the request; 5.2: a folded line
            ^GET /v0/entity?id=a HTTP/1.1^Host: x                                         | 200
            GET /v0/entity?id=a HTTP/1.1^Host: x^X: a^ b                                  | 200
            # 2.3: a higher minor version
            GET /v0/entity?id=a HTTP/1.2^Host: x                                          | 200
            # 3.2: target and Host
            GET http://x/v0/entity?id=a HTTP/1.1^Host: x                                  | 200
            GET HTTP://x:80/v0/entity?id=a HTTP/1.1^Host: y                               | 200
            GET http://[::1]:80/v0/entity?id=a HTTP/1.1^Host: y                           | 200
            GET http://x:/v0/entity?id=a HTTP/1.1^Host: y                                 | 200
            GET /v0/entity?id=a HTTP/1.0                                                  | 200
            GET /v0/entity?id=a HTTP/1.1^Host:                                            | 200
            GET /v0/entity?id=a HTTP/1.1^HOST:<TAB>x.y-z_1:8080<TAB>                      | 200
            GET /v0/entity?id=a HTTP/1.1^Host: 127.0.0.1:                                 | 200
            GET /v0/entity?id=a HTTP/1.1^Host: [fe80::1]:80                               | 200
            GET /v0/entity?id=a HTTP/1.1^Host: a%20b                                      | 200
            # 6, 7.1: bodies, chunk extensions, trailers
            PUT /v0/entity?id=c HTTP/1.1^Host: x^Transfer-Encoding: Chunked^^1;a="b"^x^0^X: y | 201
            PUT /v0/entity?id=c HTTP/1.1^Host: x^Transfer-Encoding: chunked^^0            | 201
            PUT /v0/entity?id=c HTTP/1.1^Host: x                                          | 201
            PUT /v0/entity?id=c HTTP/1.1^Host: x^Content-Encoding: gzip^Content-Length: 0 | 201
            PUT /v0/entity?id=c HTTP/1.1^Host: x^Expect: 100-Continue^Content-Length: 0   | 201
            PUT /v0/entity?id=c HTTP/1.0^Expect: magic^Content-Length: 0                  | 201
            # RFC 9110, 7.8: an upgrade is not taken
            GET /v0/entity?id=a HTTP/1.1^Host: x^Connection: Upgrade^Upgrade: h2c         | 200
            # RFC 7239: Forwarded, and what came before it, is not read
            GET /v0/entity?id=a HTTP/1.1^Host: x^X-Forwarded-Port: abc                    | 200
            GET /v0/entity?id=a HTTP/1.1^Host: x^X-Forwarded-Proto: gopher^X-Forwarded-Host: a b | 200
            GET /v0/entity?id=a HTTP/1.1^Host: x^Forwarded: host="a b"                    | 200
            GET /v0/entity?id=a HTTP/1.1^Host: x^X-Forwarded-Prefix: /app                 | 200
            GET /v0/entity?id=a HTTP/1.1^Host: x^X-Forwarded-For: nobody^Forwarded: for=  | 200
            """)
    void requestThatKeepsTheRulesIsServed(String request, int status) throws IOException {
        assertThat(answers(clients(), request).replaceFirst("HTTP/1.1 100 Continue\r\n\r\n", ""))
                .startsWith("HTTP/" + (request.contains("HTTP/1.0") ? "1.0 " : "1.1 ") + status + " ");
    }

    @Test
    void tooLongALineOrHeadIsRefusedWithAProblem() throws IOException {
        assertRefused(
                answers(clients(), "GET /v0/entity?id=" + "a".repeat(10_000) + " HTTP/1.1^Host: x"),
                414,
                "target-too-long");
        assertRefused(
                answers(clients(), "GET /v0/entity?id=a HTTP/1.1^Host: x^X: " + "a".repeat(10_000)),
                431,
                "headers-too-large");
    }

    @Test
    void refusalOfAHeadRequestHasNoBody() throws IOException {
        assertThat(answers(clients(), "HEAD /v0/entity?id=%zz HTTP/1.1^Host: x"))
                .startsWith("HTTP/1.1 400 ")
                .endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET /actuator/health HTTP/1.1                                       | 400 | invalid-host
            GET /actuator/health HTTP/1.1^Host: a b                             | 400 | invalid-host
            GET /actuator/health HTTP/2.0^Host: x                               | 505 | unsupported-version
            GET /actuator/he alth HTTP/1.1^Host: x                              | 400 | malformed-request
            GET /actuator/%zz HTTP/1.1^Host: x                                  | 400 | malformed-target
            GET /actuator/<x> HTTP/1.1^Host: x                                  | 400 | malformed-target
            POST /actuator/repair HTTP/1.1^Host: x^Transfer-Encoding: gzip, chunked^^0 | 501 | unsupported-transfer-coding
            GET /nothing HTTP/1.1^Host: x                                       | 404 | not-found
            DELETE /actuator/repair HTTP/1.1^Host: x                            | 405 | method-not-allowed
            POST /actuator/repair HTTP/1.1^Host: x^Content-Type: text/plain^Content-Length: 1^^x | 415 | unsupported-media-type
            POST /actuator/repair HTTP/1.1^Host: x^Content-Type: application/json^Content-Length: 1^^x | 400 | bad-request
            nonsense                                                            | 400 | malformed-request
            """)
    void managementPortRefusesWithAProblemAsWell(String request, int status, String problem) throws IOException {
        assertRefused(answers(management(), request), status, problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            POST /actuator/repair HTTP/1.1^Host: x                              | "partitions"
            POST /actuator/repair HTTP/1.1^Host: x^Content-Length: 0            | "partitions"
            GET /actuator/health HTTP/1.1^Host: x^X-Forwarded-Port: abc         | "status"
            GET /actuator/health HTTP/1.1^Host: x^X-Forwarded-Prefix: /app      | "status"
            GET /actuator/health HTTP/1.0                                       | "status"
            """)
    void managementPortServesWhatKeepsTheRules(String request, String content) throws IOException {
        assertThat(answers(management(), request))
                .containsPattern("^HTTP/1.[01] 200 ")
                .contains(content);
    }
}
