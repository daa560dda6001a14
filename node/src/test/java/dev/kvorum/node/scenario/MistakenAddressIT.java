package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The address of one member leads to another, as after a stale DNS answer or by a mistake in the topology: one process counts once. */
@Tag("check")
@Timeout(60)
class MistakenAddressIT {
    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(directory, 3);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void startAllAgain() {
        cluster.startAll();
        eventually("all are reached again", () -> put("again", "3/3").statusCode() == 201);
    }

    private static NodeClient client() {
        return cluster.node(0).client();
    }

    private static HttpResponse<byte[]> put(String key, String quorum) {
        return client().put(key, "value", quorum);
    }

    private static HttpResponse<byte[]> putLinearizable(String key) {
        return client().send(
                        "PUT", "/v0/entity?id=" + key + "&consistency=linearizable", BodyPublishers.ofString("value"));
    }

    /** What the client is told of a write that fails each time. */
    private static String failure(String key, String quorum) {
        HttpResponse<byte[]> written = put(key, quorum);
        assertThat(written.statusCode()).isEqualTo(504);
        return text(written);
    }

    private static void awaitMistake() {
        double before = mistakes();
        eventually("the address is found to be another's", () -> mistakes() > before);
    }

    private static double mistakes() {
        return cluster.node(0)
                .meters()
                .get("kvorum.frames.mistaken")
                .functionCounter()
                .count();
    }

    /** What is left are the node that is asked, and its own port under the address of another. */
    @Test
    void nodeDoesNotCountAsItsOwnReplica() {
        TestNode first = cluster.node(0);
        cluster.node(2).stop();

        try (Fault mistake = cluster.node(1).proxy().leadTo(first.peerPort())) {
            assertThat(put("at-once", "2/3").statusCode()).isEqualTo(504);
            awaitMistake();

            eventually("the answer says why", () -> failure("once", "2/3").contains("instead of \\\"n2\\\""));
            assertThat(putLinearizable("once-elected").statusCode()).isEqualTo(504);
            assertThat(client().get("once", "2/3").statusCode()).isEqualTo(504);
        }
    }

    /** As it would be if two addresses led to one node. */
    @Test
    void thirdNodeDoesNotCountTwice() {
        List<TestNode> nodes = cluster.nodes();

        try (Fault mistake = nodes.get(1).proxy().leadTo(nodes.get(2).peerPort())) {
            assertThat(put("at-once", "3/3").statusCode()).isEqualTo(504);
            awaitMistake();

            eventually(
                    "the answer says why",
                    () -> failure("twice", "3/3").contains("member \\\"n3\\\" answers at this address"));
            assertThat(put("two", "2/3").statusCode()).isEqualTo(201);
        }
    }
}
