package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static dev.kvorum.node.cluster.PeerCalls.cellOn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes, of which some are slow, frozen or dead. Time-outs are longer than the client waits: nothing here passes because of one. */
@Timeout(120)
class QuorumIT {
    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                3,
                "--kvorum.peer.timeout=60s",
                "--kvorum.peer.silence-max=60s",
                "--kvorum.quorum.deadline=60s",
                "--kvorum.read.fan-out=all"); // So that there are answers that nobody waits for.
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void startAllAgain() {
        cluster.startAll();
    }

    @Test
    void defaultQuorumIsTwoOfThree() {
        HttpResponse<byte[]> written = cluster.node(0).client().put("default", "value", "");
        HttpResponse<byte[]> read = cluster.node(1).client().get("default", "");

        assertThat(written.statusCode()).isEqualTo(201);
        assertThat(written.headers().firstValue("Kvorum-Acks")).hasValue("2/3");
        assertThat(read.headers().firstValue("Kvorum-Acks")).hasValue("2/3");
        assertThat(read.headers().firstValue("Kvorum-Version"))
                .isEqualTo(written.headers().firstValue("Kvorum-Version"));
    }

    @Test
    void allOperationsSucceedWhileAnyOneNodeIsDown() {
        for (TestNode dead : cluster.nodes()) {
            dead.stop();
            for (TestNode alive : cluster.othersThan(List.of(dead))) {
                NodeClient client = alive.client();
                String key = "without-" + dead.id() + "-" + alive.id();

                assertThat(client.put(key, "value", "").statusCode()).isEqualTo(201);
                assertThat(text(client.get(key, ""))).isEqualTo("value");
                assertThat(client.delete(key, "").statusCode()).isEqualTo(202);
                assertThat(client.get(key, "").statusCode()).isEqualTo(404);
            }
            cluster.start(dead);
        }
    }

    @Test
    void oneReplicaThatNeverAnswersDelaysNoRequestForTwoOfThree() {
        NodeClient client = cluster.node(0).client();

        try (Fault frozen = cluster.node(2).proxy().freeze()) {
            assertThat(client.put("frozen", "value", "2/3").statusCode()).isEqualTo(201);
            assertThat(text(client.get("frozen", "2/3"))).isEqualTo("value");
        }
    }

    @Test
    void replicaDelayedByASecondDoesNotDelayARequestForTwoOfThree() {
        try (Fault slow = cluster.node(2).proxy().delay(Duration.ofSeconds(1))) {
            assertThat(cluster.node(0).client().put("delayed", "value", "2/3").statusCode())
                    .isEqualTo(201);

            assertThat(cellOn(cluster.node(2), "delayed"))
                    .isEmpty(); // It was answered before the slow one was even asked.
            assertThat(text(cluster.node(0).client().get("delayed", "2/3"))).isEqualTo("value");
        }
    }

    @Test
    void withTwoSlowReplicasTheRequestWaitsForOneOfThemAndSucceeds() {
        NodeClient client = cluster.node(0).client();

        try (Fault slow = cluster.node(1).proxy().delay(Duration.ofSeconds(1));
                Fault slowToo = cluster.node(2).proxy().delay(Duration.ofSeconds(1))) {
            CompletableFuture<HttpResponse<byte[]>> written = client.putLater("slow", "value", "2/3");
            assertThat(client.get("slow", "1/3").statusCode()).isIn(200, 404); // Does not wait.
            assertThat(written.join().statusCode()).isEqualTo(201);
            assertThat(text(client.get("slow", "2/3"))).isEqualTo("value");
        }
    }

    @Test
    void quorumOutOfReachIsAnsweredWhenTheLastNeededReplicaFailsNotAtTheTimeOut() {
        cluster.node(1).stop();

        try (Fault frozen = cluster.node(2).proxy().freeze()) {
            HttpResponse<byte[]> read = cluster.node(0).client().get("any", "3/3");
            HttpResponse<byte[]> written = cluster.node(0).client().put("any", "value", "3/3");

            assertThat(List.of(read.statusCode(), written.statusCode())).containsOnly(504);
            assertThat(text(read))
                    .contains("\"member\":\"n2\"")
                    .contains("UNREACHABLE")
                    .doesNotContain("n3");
        }
    }

    /** A person reads the detail: it names members and reasons, and no class of Java. */
    @Test
    void quorumOutOfReachIsToldInWords() {
        NodeClient client = cluster.node(0).client();
        String linearizable = "/v0/entity?id=any&consistency=linearizable";
        cluster.node(1).stop();
        cluster.node(2).stop();

        List<HttpResponse<byte[]>> answers = List.of(
                client.get("any", "2/3"),
                client.put("any", "value", "3/3"),
                client.delete("any", "2/3"),
                client.send("GET", linearizable, BodyPublishers.noBody()),
                client.send("PUT", linearizable, BodyPublishers.ofString("value")));

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(504);
            assertThat(text(answer))
                    .contains("\"reason\":\"UNREACHABLE\"")
                    .containsPattern("\"member\":\"n[23]\"")
                    .containsPattern("\"detail\":\"(the connection|it refused)[a-z ]+\"")
                    .doesNotContain("Exception", "java.", "io.netty", "dev.kvorum");
        });
    }

    @Test
    void writeAnsweredAtItsQuorumStillReachesTheSlowerReplica() {
        try (Fault frozen = cluster.node(2).proxy().freeze()) {
            assertThat(cluster.node(0).client().put("slower", "value", "1/3").statusCode())
                    .isEqualTo(201);

            assertThat(cellOn(cluster.node(2), "slower")).isEmpty();
        }

        eventually(
                "the third replica has it",
                () -> cellOn(cluster.node(2), "slower").isPresent());
    }

    @Test
    void writeOfAClientThatWentAwayIsNotTakenBack() {
        try (Fault slow = cluster.node(1).proxy().delay(Duration.ofMillis(300));
                Fault slowToo = cluster.node(2).proxy().delay(Duration.ofMillis(300))) {
            CompletableFuture<HttpResponse<byte[]>> abandoned =
                    cluster.node(0).client().putLater("abandoned", "value", "3/3");
            eventually(
                    "the write has begun",
                    () -> cellOn(cluster.node(0), "abandoned").isPresent());

            abandoned.cancel(true);

            eventually(
                    "all replicas have it",
                    () -> cluster.nodes().stream()
                            .allMatch(node -> cellOn(node, "abandoned").isPresent()));
        }
    }

    @Test
    void cancelledReadsLeaveThePeerConnectionsOpen() {
        NodeClient client = cluster.node(0).client();
        client.put("cancelled", "value", "3/3");
        eventually("no replica is avoided any more", () -> {
            client.get("cancelled", "2/3");
            return avoidedBy(cluster.node(0)) == 0;
        });
        double openedBefore = cluster.node(0).counted("kvorum.peer.connections.opened");
        List<Integer> endedBefore = cluster.nodes().stream()
                .map(node -> node.proxy().endings().size())
                .toList();

        try (Fault slow = cluster.node(2).proxy().delay(Duration.ofMillis(20))) {
            // Not of all, and of no batch while the slow one is avoided.
            eventually("most reads of a batch are cancelled", () -> {
                double before = cluster.node(0).counted("kvorum.replica.cancelled");
                List<CompletableFuture<HttpResponse<byte[]>>> answers = Stream.generate(
                                () -> client.getLater("cancelled", "2/3"))
                        .limit(200)
                        .toList();
                answers.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
                return cluster.node(0).counted("kvorum.replica.cancelled") - before >= 150;
            });
        }

        List<String> ended = IntStream.range(0, 3)
                .boxed()
                .flatMap(i -> cluster.node(i).proxy().endings().stream().skip(endedBefore.get(i)))
                .toList();
        assertThat(cluster.node(0).connections())
                .as("connections that are good for calls, of all members who ended one: %s", ended)
                .isEqualTo(2);
        assertThat(cluster.node(0).counted("kvorum.peer.connections.opened"))
                .as("connections opened, of all members who ended one: %s", ended)
                .isEqualTo(openedBefore);
    }

    private static double avoidedBy(TestNode node) {
        return node.meters().get("kvorum.replica.breaker").gauges().stream()
                .mapToDouble(io.micrometer.core.instrument.Gauge::value)
                .sum();
    }

    @Test
    void writersThatRaceThroughDifferentNodesLeaveAllReplicasEqual() {
        List<CompletableFuture<HttpResponse<byte[]>>> writes = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            NodeClient client = cluster.node(i % 3).client();
            writes.add(client.putLater("race-" + i % 10, "writer " + i, "1/3"));
        }
        writes.forEach(CompletableFuture::join);

        for (int i = 0; i < 10; i++) {
            String key = "race-" + i;
            eventually(
                    "all replicas of " + key + " are equal", () -> cellsOf(key).size() == 1);
        }
    }

    private static Set<Optional<Cell>> cellsOf(String key) {
        Set<Optional<Cell>> cells = new HashSet<>();
        cluster.nodes().forEach(node -> cells.add(cellOn(node, key)));
        return cells;
    }
}
