package dev.kvorum.e2e.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Cut;
import dev.kvorum.e2e.fault.Fault;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Packets of one node to another do not arrive, though the other way they do. */
class OneWayCutE2E {
    private static final Duration HEALED_MAX = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3));

    private final AtomicInteger attempts = new AtomicInteger();
    private EntityClient client;

    @BeforeEach
    void connect() {
        client = new EntityClient(cluster.get());
    }

    @Test
    void majorityIsFoundFromBothEndsOfTheCutAndAllOnlyFromBesideIt() {
        try (Fault cut = Cut.oneWay(cluster.node(1), cluster.node(3))) {
            assertThat(write(cluster.node(1), Quorum.MAJORITY_OF_3).is(201)).isTrue();
            assertThat(write(cluster.node(3), Quorum.MAJORITY_OF_3).is(201)).isTrue();
            assertThat(write(cluster.node(2), Quorum.ALL_OF_3).is(201)).isTrue();
            assertThat(write(cluster.node(1), Quorum.ALL_OF_3).is(504)).isTrue();
        }

        Eventually.await(
                "all three are written through n1 again",
                HEALED_MAX,
                () -> write(cluster.node(1), Quorum.ALL_OF_3).is(201));
    }

    @Test
    void nodeCutOffFromAllOthersServesNoQuorumAndTheOthersDo() {
        try (Fault cut = Cut.around(cluster.node(3), cluster.get().nodes())) {
            assertThat(write(cluster.node(3), Quorum.MAJORITY_OF_3).is(504)).isTrue();
            assertThat(write(cluster.node(1), Quorum.MAJORITY_OF_3).is(201)).isTrue();
            assertThat(write(cluster.node(2), Quorum.MAJORITY_OF_3).is(201)).isTrue();
        }

        Eventually.await(
                "a majority is written through n3 again",
                HEALED_MAX,
                () -> write(cluster.node(3), Quorum.MAJORITY_OF_3).is(201));
    }

    @Test
    void clientsOfBothSidesAreServedWhileACutComesAndGoes() {
        Tally tally;
        try (Traffic traffic = Traffic.start(cluster.get(), TrafficPlan.calm("cut-", Quorum.MAJORITY_OF_3))) {
            traffic.awaitMore(100);
            for (Node other : cluster.get().nodes().subList(1, 3)) {
                try (Fault cut = Cut.oneWay(cluster.node(1), other)) {
                    traffic.awaitMore(300);
                }
            }
            tally = traffic.stop();
        }

        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
    }

    private Reply write(Node through, Quorum quorum) {
        String name = "cut" + attempts.incrementAndGet();
        return client.put(through, "cut", client.fresh(name), quorum);
    }
}
