package dev.kvorum.e2e.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.Metrics;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.RawConnection;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hundreds of connections at a time that are no good, while others are served as ever. */
class HostileRequestsE2E {
    private static final int CONNECTIONS = 300;
    private static final int SERVED_MEANWHILE = 100;
    private static final int CLOSED = 0;
    private static final int CALM_CONNECTIONS_MAX = 60;

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(
            ClusterSpec.ofNodes(3).with("kvorum.http.header-timeout=5s").with("kvorum.http.body-timeout=5s"));

    /** One connection, from its beginning to the status that it gets; 0 if it is closed without one. */
    private interface Behaviour {
        int status(RawConnection connection) throws IOException;
    }

    @Test
    void oversizedValuesAreRefusedBeforeTheyArrive() {
        Map<Integer, Integer> statuses = whileOthersAreServed("oversized", connection -> {
            connection.send("PUT /v0/entity?id=big HTTP/1.1\r\nHost: k\r\nContent-Length: 1000000000\r\n\r\n");
            return connection.status();
        });

        assertThat(statuses).containsOnlyKeys(413);
    }

    @Test
    void nonsenseIsAnsweredWith400OrCutOff() {
        Map<Integer, Integer> statuses = whileOthersAreServed("nonsense", connection -> {
            connection.send("\u0001\u0002 nonsense \u00ff\r\n\r\n");
            return connection.status();
        });

        assertThat(statuses)
                .isNotEmpty()
                .allSatisfy((status, count) -> assertThat(status).isIn(400, CLOSED));
    }

    @Test
    void malformedTargetsAreAnsweredWith400() {
        Map<Integer, Integer> statuses = whileOthersAreServed("malformed", connection -> {
            connection.send("GET /v0/entity?id=%zz&ack=9&from=2 HTTP/1.1\r\nHost: k\r\n\r\n");
            return connection.status();
        });

        assertThat(statuses).containsOnlyKeys(400);
    }

    @Test
    void headsThatDoNotEndAreGivenUp() {
        Map<Integer, Integer> statuses = whileOthersAreServed("slow-head", connection -> {
            connection.send("GET /v0/entity?id=slow HTTP/1.1\r\nHost");
            return connection.status();
        });

        assertThat(statuses)
                .isNotEmpty()
                .allSatisfy((status, count) -> assertThat(status).isIn(408, 400, CLOSED));
    }

    @Test
    void bodiesThatDoNotEndAreAnsweredWith408() {
        Map<Integer, Integer> statuses = whileOthersAreServed("slow-body", connection -> {
            connection.send("PUT /v0/entity?id=slow HTTP/1.1\r\nHost: k\r\nContent-Length: 1000\r\n\r\nso far");
            return connection.status();
        });

        assertThat(statuses).containsOnlyKeys(408);
    }

    @Test
    void halfClosedConnectionsGetTheirAnswerOrAreClosed() {
        Map<Integer, Integer> statuses = whileOthersAreServed("half-closed", connection -> {
            connection.send("GET /v0/entity?id=half HTTP/1.1\r\nHost: k\r\n\r\n");
            connection.finish();
            return connection.status();
        });

        assertThat(statuses)
                .isNotEmpty()
                .allSatisfy((status, count) -> assertThat(status).isIn(404, 503, CLOSED));
    }

    @Test
    void connectionsResetInTheMiddleOfABodyLeaveNothing() {
        whileOthersAreServed("reset", connection -> {
            connection.send("PUT /v0/entity?id=reset HTTP/1.1\r\nHost: k\r\nContent-Length: 100000\r\n\r\n"
                    + "x".repeat(50_000));
            connection.reset();
            return CLOSED;
        });

        Eventually.await(
                () -> "no bytes of bodies are held: " + Metrics.of(victim()).sum("kvorum_http_body_bytes"),
                Duration.ofSeconds(10),
                () -> Metrics.of(victim()).sum("kvorum_http_body_bytes") == 0);
    }

    private static Node victim() {
        return cluster.node(1);
    }

    /**
     * Lets all connections of that kind run into the first node at once, again and again while that serves others, and answers with how often each
     * status came.
     */
    private static Map<Integer, Integer> whileOthersAreServed(String name, Behaviour behaviour) {
        Map<Integer, Integer> statuses = new TreeMap<>();
        Tally tally;
        TrafficPlan plan = TrafficPlan.calm(name + "-", Quorum.MAJORITY_OF_3).withRate(100);
        try (Traffic traffic = Traffic.start(cluster.get(), plan, () -> List.of(victim()))) {
            traffic.awaitMore(20);
            int aim = traffic.tally().requests() + SERVED_MEANWHILE;
            do {
                run(behaviour).forEach(status -> statuses.merge(status, 1, Integer::sum));
            } while (traffic.tally().requests() < aim);
            tally = traffic.stop();
        }
        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
        Eventually.await(
                () -> "connections are closed: " + Metrics.of(victim()).sum("kvorum_http_connections"),
                Duration.ofSeconds(20),
                () -> Metrics.of(victim()).sum("kvorum_http_connections") < CALM_CONNECTIONS_MAX);
        Eventually.await("the node is ready", Duration.ofSeconds(20), victim()::isReady);
        return statuses;
    }

    private static List<Integer> run(Behaviour behaviour) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                results.add(threads.submit(() -> status(behaviour)));
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> result : results) {
                statuses.add(result.get());
            }
            return statuses;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private static int status(Behaviour behaviour) throws IOException {
        try (RawConnection connection = RawConnection.to(victim())) {
            return behaviour.status(connection);
        } catch (SocketException e) {
            return CLOSED; // Reset by the node: also an end.
        }
    }
}
