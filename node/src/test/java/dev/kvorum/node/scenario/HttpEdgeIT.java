package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.TestCluster;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client may ask for, and what it is answered. */
@Timeout(60)
class HttpEdgeIT {
    private static final int VALUE_MAX = 64 << 10;

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(directory, 1, "--kvorum.http.value-max=64KB", "--kvorum.storage.queue=2");
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
}
