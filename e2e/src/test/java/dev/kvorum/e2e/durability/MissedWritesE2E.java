package dev.kvorum.e2e.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Metrics;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Cut;
import dev.kvorum.e2e.fault.Fault;
import dev.kvorum.e2e.fault.Kill;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A replica that missed writes has them in the end. It is asked alone, with the others cut off: it answers with what it holds itself. */
class MissedWritesE2E {
    private static final int KEYS = 200;
    private static final Duration BROUGHT_MAX = Duration.ofSeconds(60);
    private static final Duration REBUILT_MAX = Duration.ofMinutes(2);

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3));

    private EntityClient client;

    @BeforeEach
    void connect() {
        client = new EntityClient(cluster.get());
    }

    @Test
    void hintsBringWhatAKilledReplicaMissed() {
        double broughtBefore = Metrics.of(cluster.node(1)).sum("kvorum_hints_replayed_total");
        try (Fault killed = Kill.of(cluster.node(3))) {
            write("hint-");
        }

        Eventually.await(
                "n1 has no hint left for n3, and has brought " + KEYS,
                BROUGHT_MAX,
                () -> waitingForN3(cluster.node(1)) == 0
                        && Metrics.of(cluster.node(1)).sum("kvorum_hints_replayed_total") - broughtBefore >= KEYS);
        assertHeldByN3Alone("hint-");
    }

    @Test
    void nodeThatLostItsDiskIsRebuiltFromTheOthers() throws IOException, InterruptedException {
        write("lost-");
        try (Fault lost = Kill.withDisk(cluster.get(), cluster.node(3))) {
            assertThat(client.get(cluster.node(1), "lost-0", Quorum.MAJORITY_OF_3)
                            .answered()
                            .body())
                    .isEqualTo(client.fresh("lost-0"));
        }

        askForRepair(cluster.node(3));
        Eventually.await(
                () -> "n3 has been brought " + KEYS + " cells: " + broughtByRepair(),
                REBUILT_MAX,
                () -> broughtByRepair() >= KEYS);
        assertHeldByN3Alone("lost-");
    }

    private void write(String prefix) {
        for (int i = 0; i < KEYS; i++) {
            assertThat(client.put(cluster.node(1), prefix + i, client.fresh(prefix + i), Quorum.MAJORITY_OF_3)
                            .is(201))
                    .isTrue();
        }
    }

    private static double waitingForN3(Node node) {
        return Metrics.of(node).sum("kvorum_hints_waiting", "member=\"n3\"");
    }

    /** What n3 has pulled, and what the others have pushed: some partitions it hands over to their first owners. */
    private static double broughtByRepair() {
        return cluster.get().nodes().stream()
                .mapToDouble(node -> Metrics.of(node).sum("kvorum_repair_cells_total"))
                .sum();
    }

    private static void askForRepair(Node node) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(node.management().resolve("/actuator/repair"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            assertThat(http.send(request, BodyHandlers.discarding()).statusCode())
                    .isBetween(200, 204);
        }
    }

    private void assertHeldByN3Alone(String prefix) {
        try (Fault alone = Cut.around(cluster.node(3), cluster.get().nodes())) {
            for (int i = 0; i < KEYS; i++) {
                assertThat(client.get(cluster.node(3), prefix + i, Quorum.ONE_OF_3)
                                .answered()
                                .body())
                        .isEqualTo(client.fresh(prefix + i));
            }
        }
    }
}
