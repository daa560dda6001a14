package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import io.micrometer.core.instrument.Gauge;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A peer whose connections are open but dead, and one that takes less than it is sent. */
@Timeout(60)
@Tag("check")
class HangingPeerIT {
    private static final Duration BEFORE_THE_ANSWER = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private static List<HttpResponse<byte[]>> puts(NodeClient client, int count, String value, String quorum) {
        List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
        IntStream.range(0, count).forEach(i -> answers.add(client.putLater("key-" + i, value, quorum)));
        return answers.stream().map(CompletableFuture::join).toList();
    }

    @Test
    void connectionsThatHangForEverAreGivenUpAndReplaced() {
        try (TestCluster cluster = TestCluster.start(directory, 2, "--kvorum.peer.timeout=300ms")) {
            NodeClient client = cluster.node(0).client();
            eventually(
                    "the peer is reached",
                    () -> puts(client, 4, "value", "2/2").stream().allMatch(answer -> answer.statusCode() == 201));

            cluster.node(1).proxy().hangOpenConnections();
            puts(client, 50, "value", "1/2");

            eventually(
                    "the peer is reached again",
                    () -> client.put("again", "value", "2/2").statusCode() == 201);
        }
    }

    @Test
    void whatComesOnTopOfThatOnItsWayToAPeerIsRefusedAtOnce() {
        try (TestCluster cluster = TestCluster.start(
                directory,
                2,
                "--kvorum.peer.timeout=15s",
                "--kvorum.quorum.deadline=15s",
                "--kvorum.peer.silence-max=60s",
                "--kvorum.peer.bytes-max=1MB")) {
            NodeClient client = cluster.node(0).client();

            try (var frozen = cluster.node(1).proxy().freeze()) {
                assertThat(puts(client, 30, "x".repeat(100_000), "1/2")).allMatch(answer -> answer.statusCode() == 201);
                HttpResponse<byte[]> refused = client.put("on-top", "x".repeat(100_000), "2/2");

                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(NodeClient.text(refused)).contains("OVERLOADED");
            }
        }
    }

    /** The system tells nobody of a reset that comes after the end of what a client sends. */
    @Test
    void clientThatResetsAfterItsLastRequestHoldsNoConnectionUntilTheAnswer() throws IOException {
        try (TestCluster cluster = TestCluster.start(
                directory,
                2,
                "--kvorum.peer.timeout=50s",
                "--kvorum.quorum.deadline=50s",
                "--kvorum.peer.silence-max=60s")) {
            TestNode node = cluster.node(0);
            Gauge connections = node.meters().get("kvorum.http.connections").gauge();
            double before = connections.value();

            try (var frozen = cluster.node(1).proxy().freeze();
                    Socket socket = new RawClient(node.apiPort()).open()) {
                socket.getOutputStream()
                        .write("GET /v0/entity?id=a&ack=2&from=2 HTTP/1.1\r\nHost: x\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                eventually("the request waits for the other member", () -> connections.value() == before + 1);
                socket.setSoLinger(true, 0);
                socket.close();

                eventually(
                        "the connection has ended long before the answer",
                        BEFORE_THE_ANSWER,
                        () -> connections.value() == before);
            }
        }
    }
}
