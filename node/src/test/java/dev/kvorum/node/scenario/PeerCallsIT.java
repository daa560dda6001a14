package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static dev.kvorum.node.cluster.PeerCalls.cellOn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import io.micrometer.core.instrument.Timer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls between members: mixed, to a dead and to a frozen one, and cancelled. */
@Tag("check")
@Timeout(120)
class PeerCallsIT {
    private static final int LONGEST = 1 << 20;

    @TempDir
    static Path directory;

    @SuppressWarnings("NullAway.Init") // Started before each invocation of the class.
    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory, 3, "--kvorum.read.fan-out=all", "--kvorum.peer.timeout=60s", "--kvorum.quorum.deadline=60s");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void startAllAgain() {
        cluster.startAll();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2/3", "3/3"})
    void whatIsWrittenThroughOneNodeIsReadAndDeletedThroughOthers(String quorum) {
        String key = "through-" + quorum;

        assertThat(cluster.node(0).client().put(key, "value", quorum).statusCode())
                .isEqualTo(201);
        assertThat(text(cluster.node(1).client().get(key, quorum))).isEqualTo("value");
        assertThat(cluster.node(2).client().delete(key, quorum).statusCode()).isEqualTo(202);
        assertThat(cluster.node(0).client().get(key, quorum).statusCode()).isEqualTo(404);
    }

    @Test
    void longAndShortValuesAreInFlightTogether() {
        NodeClient client = cluster.node(0).client();
        String longValue = "x".repeat(LONGEST);

        List<CompletableFuture<HttpResponse<byte[]>>> writes = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            writes.add(client.putLater("mixed-" + i, i % 25 == 0 ? longValue : "short " + i, "3/3"));
        }
        assertThat(writes).allMatch(write -> write.join().statusCode() == 201);
        List<CompletableFuture<HttpResponse<byte[]>>> reads = IntStream.range(0, 150)
                .mapToObj(i -> cluster.node(1).client().getLater("mixed-" + i, "3/3"))
                .toList();

        for (int i = 0; i < 150; i++) {
            assertThat(text(reads.get(i).join())).isEqualTo(i % 25 == 0 ? longValue : "short " + i);
        }
    }

    @Test
    void deadPeerCostsAQuorumNothingAndAllOfThemTheirAnswer() {
        TestNode dead = cluster.node(2);
        dead.stop();
        NodeClient client = cluster.node(0).client();

        assertThat(client.put("dead", "value", "2/3").statusCode()).isEqualTo(201);
        assertThat(text(client.get("dead", "2/3"))).isEqualTo("value");
        assertThat(client.put("dead", "value", "3/3").statusCode()).isEqualTo(504);

        cluster.start(dead);
        eventually(
                "it is reached again", () -> client.put("dead", "value", "3/3").statusCode() == 201);
    }

    @Test
    void frozenPeerCostsAQuorumNothing() {
        NodeClient client = cluster.node(0).client();

        try (Fault frozen = cluster.node(2).proxy().freeze()) {
            assertThat(client.put("frozen", "value", "2/3").statusCode()).isEqualTo(201);
            assertThat(text(client.get("frozen", "2/3"))).isEqualTo("value");
        }
        eventually(
                "the write reaches it",
                () -> cellOn(cluster.node(2), "frozen").isPresent()
                        || client.put("frozen", "value", "3/3").statusCode() == 201);
    }

    @Test
    void readsThatAreNotNeededAreCancelledAndTheRestAnswered() {
        NodeClient client = cluster.node(0).client();
        client.put("cancelled", "value", "3/3");

        try (Fault slow = cluster.node(2).proxy().delay(Duration.ofMillis(20))) {
            eventually(
                    "most reads of a batch are cancelled",
                    () -> { // Of none while the slow one is avoided.
                        double before = cancelled();
                        List<CompletableFuture<HttpResponse<byte[]>>> reads = IntStream.range(0, 100)
                                .mapToObj(i -> client.getLater("cancelled", "2/3"))
                                .toList();
                        assertThat(reads).allMatch(read -> text(read.join()).equals("value"));
                        return cancelled() - before >= 70;
                    });
        }

        assertThat(text(client.get("cancelled", "3/3"))).isEqualTo("value");
    }

    @Test
    void cancelledReadsFailNoMember() {
        NodeClient client = cluster.node(0).client();
        client.put("raced", "value", "3/3");
        double cancelledBefore = cancelled();
        double failedBefore = failed();

        eventually("a thousand reads are cancelled", () -> {
            List<CompletableFuture<HttpResponse<byte[]>>> reads = IntStream.range(0, 100)
                    .mapToObj(i -> client.getLater("raced", "2/3"))
                    .toList();
            assertThat(reads).allMatch(read -> text(read.join()).equals("value"));
            return cancelled() - cancelledBefore >= 1000;
        });

        assertThat(failed()).isEqualTo(failedBefore);
    }

    /** Reads that a member has failed. */
    private static double failed() {
        return cluster.node(0).meters().get("kvorum.replica.calls").tag("operation", "read").timers().stream()
                .filter(timer -> !"success".equals(timer.getId().getTag("outcome")))
                .mapToDouble(Timer::count)
                .sum();
    }

    private static double cancelled() {
        return cluster.node(0).counted("kvorum.replica.cancelled");
    }
}
