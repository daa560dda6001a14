package dev.kvorum.e2e.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Metrics;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.fault.Fault;
import dev.kvorum.e2e.fault.SkewedClock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The clock of one node is not that of the others. By the settings, versions may be 10 s ahead of the clock of who takes them. */
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

    @Test
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

    /** No other clock was set: versions go on by the time of before. */
    @Test
    void clockThatIsSetFarAheadStampsNoWriteAhead() {
        try (Fault ahead = SkewedClock.of(cluster.get(), cluster.node(3), Duration.ofMinutes(2))) {
            Eventually.await(
                    "it sees how far its clock is off",
                    Duration.ofSeconds(20),
                    () -> Metrics.of(cluster.node(3)).sum("kvorum_clock_wall_offset_seconds") > 100);

            Reply early = client.put(cluster.node(3), "far", "by a clock far ahead", Quorum.ALL_OF_3);
            Reply late = client.put(cluster.node(1), "far", "later all the same", Quorum.ALL_OF_3);

            early.expect(201);
            late.expect(201);
            assertThat(client.get(cluster.node(2), "far", Quorum.MAJORITY_OF_3)
                            .answered()
                            .body())
                    .isEqualTo("later all the same");
            assertThat(Metrics.of(cluster.node(1)).sum("kvorum_clock_refused_total"))
                    .isZero();
        }
    }
}
