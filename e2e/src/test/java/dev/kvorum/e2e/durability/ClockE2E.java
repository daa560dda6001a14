package dev.kvorum.e2e.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Metrics;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.fault.Fault;
import dev.kvorum.e2e.fault.SkewedClock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The clock of one node is not that of the others. By the settings, versions may be 10 s ahead of the clock of who takes them. */
@TestMethodOrder(OrderAnnotation.class)
class ClockE2E {
    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3).withClocksThatCanSkew());

    private EntityClient client;

    @BeforeEach
    void connect() {
        client = new EntityClient(cluster.get());
    }

    @Test
    void laterWriteWinsOverOneOfAClockThatIsAhead() {
        try (Fault ahead = SkewedClock.of(cluster.get(), cluster.node(3), Duration.ofSeconds(5))) {
            Reply early = client.put(cluster.node(3), "ahead", "from the future", Quorum.ALL_OF_3);
            Reply late = client.put(cluster.node(1), "ahead", "later all the same", Quorum.MAJORITY_OF_3);

            assertThat(late.answered().version()).isGreaterThan(early.answered().version());
            assertThat(client.get(cluster.node(2), "ahead", Quorum.MAJORITY_OF_3)
                            .answered()
                            .body())
                    .isEqualTo("later all the same");
        }
    }

    /** The first: what the node had issued by a clock ahead would be above anything that it has to catch up with here. */
    @Test
    @Order(1)
    void laterWriteThroughAClockThatIsBehindWins() {
        try (Fault behind = SkewedClock.of(cluster.get(), cluster.node(3), Duration.ofSeconds(-5))) {
            Reply early = client.put(cluster.node(1), "behind", "by the clock", Quorum.ALL_OF_3);
            Reply late = client.put(cluster.node(3), "behind", "behind the clock", Quorum.MAJORITY_OF_3);

            assertThat(late.answered().version()).isGreaterThan(early.answered().version());
            assertThat(client.get(cluster.node(2), "behind", Quorum.MAJORITY_OF_3)
                            .answered()
                            .body())
                    .isEqualTo("behind the clock");
        }
    }

    /** The last: what the node has issued it does not go below, so nobody takes its writes until the others' clocks come near. */
    @Test
    @Order(Integer.MAX_VALUE)
    void clockFarAheadIsRefusedAndCountedNotAdopted() {
        try (Fault ahead = SkewedClock.of(cluster.get(), cluster.node(3), Duration.ofMinutes(2))) {
            Reply refused = client.put(cluster.node(3), "far", "from far ahead", Quorum.MAJORITY_OF_3);
            Reply fromN1 = client.put(cluster.node(1), "near", "from now", Quorum.ALL_OF_3);
            Reply fromN2 = client.put(cluster.node(2), "near", "from now, too", Quorum.ALL_OF_3);

            refused.expect(504);
            fromN1.expect(201); // An adopted time would be refused by n2.
            fromN2.expect(201);
            assertThat(Metrics.of(cluster.node(1)).sum("kvorum_clock_refused_total"))
                    .isPositive();
            assertThat(Metrics.of(cluster.node(2)).sum("kvorum_clock_refused_total"))
                    .isPositive();
        }
    }
}
