package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.core.NodeCore;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.topology.Partitioning;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.Environment;

/** Three nodes that hold different things until repair makes them equal. */
@Timeout(300)
@Tag("check")
class RepairIT {
    private static final int KEYS = 100;

    @TempDir
    Path directory;

    /** What a node holds, or says that it holds. */
    private static Optional<Cell> cell(TestNode node, String key) {
        PeerCalls.Reply reply = PeerCalls.post(
                node, PeerOperation.READ, PeerCalls.atItsEpoch(node, key.getBytes(StandardCharsets.UTF_8)));
        return reply.statusCode() == 200 ? Optional.of(Cell.decode(reply.body())) : Optional.empty();
    }

    private static boolean allAgree(TestCluster cluster, String prefix) {
        return Stream.iterate(0, i -> i + 1)
                .limit(KEYS)
                .allMatch(i -> cluster.nodes().stream()
                                .map(node -> cell(node, prefix + i))
                                .distinct()
                                .count()
                        == 1);
    }

    private static HttpResponse<String> management(TestNode node, String method, String json) {
        String port = node.bean(Environment.class).getRequiredProperty("local.management.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/repair"))
                .header("Content-Type", "application/json")
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.sendAsync(request, BodyHandlers.ofString()).join();
        }
    }

    private static boolean isIdle(TestNode node) {
        var status = node.bean(NodeCore.class).repair().status();
        return status.waiting() == 0 && status.running() == null;
    }

    @Test
    void replicasThatMissedWritesConvergeOnDemandAndKeysOfOneCopyStayWhereTheyAre() {
        // Without hints, which would bring what the node has missed before anybody repairs it.
        try (TestCluster cluster =
                TestCluster.start(directory, 3, "--kvorum.repair.interval=0", "--kvorum.hints.bytes-max=0")) {
            NodeClient client = cluster.node(0).client();
            for (int i = 0; i < KEYS; i++) {
                client.put("kept-" + i, "first", "3/3");
            }
            client.put("single", "value", "1/1");
            TestNode away = cluster.node(2);
            away.stop();
            for (int i = 0; i < KEYS; i++) {
                client.put("missed-" + i, "value " + i, "2/3");
                if (i % 3 == 0) {
                    client.delete("kept-" + i, "2/3");
                }
            }
            cluster.start(away);
            assertThat(cell(away, "missed-7")).isEmpty();

            int partition = new Partitioning(256).partitionOf("missed-7".getBytes(StandardCharsets.UTF_8));
            byte[] one = {(byte) (partition >>> 8), (byte) partition};
            assertThat(PeerCalls.post(away, PeerOperation.REPAIR_RUN, PeerCalls.atItsEpoch(away, one))
                            .statusCode())
                    .isEqualTo(204);
            eventually("one partition is repaired", () -> cell(away, "missed-7").isPresent());

            assertThat(management(cluster.node(1), "POST", "{\"partition\": 256}")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(management(cluster.node(1), "POST", "{\"partition\": 3}").body())
                    .contains("\"partitions\":1");
            assertThat(management(cluster.node(1), "POST", "{}").body()).contains("\"partitions\":256");
            eventually( // That one first: what it has left to others waits there when it is idle.
                    "all are repaired", () -> isIdle(cluster.node(1)) && isIdle(cluster.node(0)) && isIdle(away));
            assertThat(management(cluster.node(1), "GET", "").body()).contains("\"waiting\":0");
            assertThat(allAgree(cluster, "missed-")).isTrue();
            assertThat(allAgree(cluster, "kept-")).isTrue();
            assertThat(cell(away, "kept-3"))
                    .hasValueSatisfying(cell -> assertThat(cell.isTombstone()).isTrue());
            assertThat(cluster.nodes().stream()
                            .filter(node -> cell(node, "single").isPresent()))
                    .hasSize(1);
            assertThat(text(away.client().send("GET", "/v0/topology", BodyPublishers.noBody())))
                    .containsPattern("\"verified\":\\[\\d{10},");
        }
    }

    /** With a grace period of a second instead of ten days. */
    @Test
    void deletionsAreDroppedInTheEndAndNothingComesBack() {
        try (TestCluster cluster = TestCluster.start(
                directory,
                3,
                "--kvorum.repair.interval=2s",
                "--kvorum.repair.settling=0",
                "--kvorum.repair.tombstone-grace=1s",
                "--kvorum.hints.age-max=500ms",
                "--kvorum.storage.sync-interval=2ms",
                "--kvorum.clock.ahead-max=10ms")) {
            NodeClient client = cluster.node(0).client();
            client.put("kept", "value", "3/3");
            client.put("dropped", "value", "3/3");
            client.delete("dropped", "3/3");

            eventually(
                    "nobody holds anything of it",
                    () -> cluster.nodes().stream()
                            .allMatch(node -> cell(node, "dropped").isEmpty()));

            assertThat(client.get("dropped", "3/3").statusCode()).isEqualTo(404);
            assertThat(cluster.nodes()).allMatch(node -> cell(node, "kept").isPresent());
        }
    }

    @Test
    void memberThatOthersHaveOutlivedRejoinsAsAnEmptyOneAndIsRebuilt() throws IOException {
        try (TestCluster cluster = TestCluster.start(directory, 3, "--kvorum.repair.interval=0")) {
            NodeClient client = cluster.node(0).client();
            for (int i = 0; i < KEYS; i++) {
                client.put("key-" + i, "value", "3/3");
            }
            cluster.nodes().forEach(TestNode::stop);
            aliveUntil(cluster.node(0), Duration.ZERO);
            aliveUntil(cluster.node(1), Duration.ZERO);
            aliveUntil(cluster.node(2), Duration.ofDays(11));
            TestNode away = cluster.node(2);
            cluster.node(0).start();
            cluster.node(1).start();

            cluster.start(away);

            try (Stream<Path> files = Files.list(directory.resolve("n3"))) {
                assertThat(files.map(file -> file.getFileName().toString()))
                        .anyMatch(name -> name.startsWith("cells-until-"));
            }
            eventually("it is rebuilt", () -> allAgree(cluster, "key-"));
            assertThat(text(away.client().get("key-5", "3/3"))).isEqualTo("value");

            // A cluster that was switched off has dropped nothing: all keep what they hold.
            cluster.nodes().forEach(TestNode::stop);
            for (TestNode node : cluster.nodes()) {
                aliveUntil(node, Duration.ofDays(30));
            }
            cluster.startAll();
            assertThat(allAgree(cluster, "key-")).isTrue();
            assertThat(cell(away, "key-5")).isPresent();
        }
    }

    /** As though it had last run so long ago, and for 60 days before that. */
    private void aliveUntil(TestNode node, Duration ago) throws IOException {
        long last = System.currentTimeMillis() - ago.toMillis();
        long since = last - Duration.ofDays(60).toMillis();
        Files.writeString(directory.resolve(node.id()).resolve("alive"), since + " " + last + "\n");
    }
}
