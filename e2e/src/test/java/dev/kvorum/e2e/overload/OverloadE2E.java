package dev.kvorum.e2e.overload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Metrics;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Delay;
import dev.kvorum.e2e.fault.Fault;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ten times what there is room for. The room is made small so that the machine of the test is not what is overloaded: 64 operations at a
 * time, each of which waits 400 ms for a late replica, are 160 a second.
 */
class OverloadE2E {
    private static final Duration LATE = Duration.ofMillis(400);
    private static final int IN_FLIGHT = 64;
    private static final int CAPACITY_PER_SECOND = (int) (IN_FLIGHT * 1000 / LATE.toMillis());
    private static final int CLIENTS = 800;
    private static final Duration PACE = Duration.ofSeconds(CLIENTS).dividedBy(10L * CAPACITY_PER_SECOND);
    private static final int SECONDS = 15;
    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final long REFUSED_MEDIAN_MS_MAX = 100;
    /** Who is refused rests for up to a second, so that a request which comes at once is not read until then. */
    private static final long REFUSED_P99_MS_MAX = 1_500;

    private static final Duration AS_EVER_MAX = Duration.ofSeconds(1);
    private static final Duration AS_EVER_WITHIN = Duration.ofSeconds(5);
    /** Of a heap that has grown to what it needs, and little else. */
    private static final int GROWTH_MIB_MAX = 100;

    @RegisterExtension
    static final TestCluster cluster =
            TestCluster.of(ClusterSpec.ofNodes(3).behindProxies().with("kvorum.http.in-flight-max=" + IN_FLIGHT));

    @Test
    void excessIsRefusedQuicklyTheRestServedMemoryFlatAndItEndsWithTheCrowd() {
        Node node = cluster.node(1);
        EntityClient client = new EntityClient(cluster.get());
        long residentBefore;
        Crowd crowd;
        long residentAfter;

        try (Fault slow = Delay.of(cluster.get(), cluster.node(3), LATE)) {
            Crowd.ask(node, CLIENTS, PACE, WARM_UP, "&ack=3&from=3"); // Until the JVM is warm.
            residentBefore = node.residentMib();
            crowd = Crowd.ask(node, CLIENTS, PACE, Duration.ofSeconds(SECONDS), "&ack=3&from=3");
            residentAfter = node.residentMib();
        }

        assertThat(crowd.statuses()).as("%s", crowd).isSubsetOf(201, 503);
        assertThat(crowd.broken()).as("%s", crowd).isZero();
        assertThat(crowd.refusedForGood()).as("refused without Retry-After").isZero();
        assertThat(crowd.of(201))
                .as("served of %s: %s", CAPACITY_PER_SECOND * SECONDS, crowd)
                .isGreaterThan(CAPACITY_PER_SECOND * SECONDS / 3);
        assertThat(crowd.of(503)).as("%s", crowd).isGreaterThan(crowd.of(201));
        assertThat(crowd.refusedWithinMs(0.5)).as("%s", crowd).isLessThan(REFUSED_MEDIAN_MS_MAX);
        assertThat(crowd.refusedWithinMs(0.99)).as("%s", crowd).isLessThan(REFUSED_P99_MS_MAX);
        System.out.println("Room for " + CAPACITY_PER_SECOND * SECONDS + ", " + crowd + ", " + residentBefore + " to "
                + residentAfter + " MiB resident");
        assertThat(residentAfter - residentBefore).as("growth, MiB").isLessThan(GROWTH_MIB_MAX);
        Eventually.await(
                "n1 has nothing left of the crowd",
                Duration.ofSeconds(10),
                () -> Metrics.of(node).sum("kvorum_client_in_flight") == 0);
        AtomicReference<Reply> last = new AtomicReference<>();
        Eventually.await(() -> "n1 serves as ever; it answered " + last.get(), AS_EVER_WITHIN, () -> {
            Reply reply = client.put(node, "afterwards", client.fresh("" + System.nanoTime()), Quorum.ALL_OF_3);
            last.set(reply);
            return reply.is(201) && reply.took().compareTo(AS_EVER_MAX) < 0;
        });
    }
}
