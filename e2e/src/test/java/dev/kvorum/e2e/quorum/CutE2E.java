package dev.kvorum.e2e.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.client.Reply.Answered;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Cut;
import dev.kvorum.e2e.fault.Fault;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Packets of one node to another do not arrive, be it one way, both, or to all others. */
class CutE2E {
    private static final Duration HEALED_MAX = Duration.ofSeconds(60);

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3));

    private final AtomicInteger attempts = new AtomicInteger();
    private EntityClient client;

    @BeforeEach
    void newClient() {
        client = new EntityClient(cluster.get());
    }

    @Test
    void majorityIsFoundFromBothEndsOfTheCutAndAllOnlyFromBesideIt() {
        try (Fault cut = Cut.oneWay(cluster.node(1), cluster.node(3))) {
            write(cluster.node(1), Quorum.MAJORITY_OF_3).expect(201);
            write(cluster.node(3), Quorum.MAJORITY_OF_3).expect(201);
            write(cluster.node(2), Quorum.ALL_OF_3).expect(201);
            write(cluster.node(1), Quorum.ALL_OF_3).expect(504);
        }

        Eventually.await(
                "all three are written through n1 again",
                HEALED_MAX,
                () -> write(cluster.node(1), Quorum.ALL_OF_3).is(201));
    }

    @Test
    void twoThatDoNotReachEachOtherBothFindAMajorityWithTheThird() {
        try (Fault cut = Cut.between(cluster.node(1), cluster.node(3))) {
            for (Node end : List.of(cluster.node(1), cluster.node(3))) {
                Answered written = write(end, Quorum.MAJORITY_OF_3).expect(201);
                Answered read = client.get(end, "cut", Quorum.MAJORITY_OF_3).expect(200);

                assertThat(read.version()).isEqualTo(written.version());
                write(end, Quorum.ALL_OF_3).expect(504);
            }
            write(cluster.node(2), Quorum.ALL_OF_3).expect(201);
        }

        Eventually.await(
                "all three are written through both again",
                HEALED_MAX,
                () -> write(cluster.node(1), Quorum.ALL_OF_3).is(201)
                        && write(cluster.node(3), Quorum.ALL_OF_3).is(201));
    }

    @Test
    void nodeCutOffFromAllOthersServesNoQuorumAndTheOthersDo() {
        try (Fault cut = Cut.around(cluster.node(3), cluster.get().nodes())) {
            write(cluster.node(3), Quorum.MAJORITY_OF_3).expect(504);
            write(cluster.node(1), Quorum.MAJORITY_OF_3).expect(201);
            write(cluster.node(2), Quorum.MAJORITY_OF_3).expect(201);
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
                cluster.awaitAllReachAll();
            }
            tally = traffic.stop();
        }

        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
        assertThat(tally.refusals()).as("%s", tally).isEmpty();
    }

    private Reply write(Node through, Quorum quorum) {
        String name = "cut" + attempts.incrementAndGet();
        return client.put(through, "cut", client.fresh(name), quorum);
    }
}
