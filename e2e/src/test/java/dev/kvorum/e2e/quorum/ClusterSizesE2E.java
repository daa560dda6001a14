package dev.kvorum.e2e.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Faults;
import dev.kvorum.e2e.fault.Kill;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Majorities of three, five and eight: as many nodes may be gone as are not needed, and not one more. */
@Tag("minutes")
class ClusterSizesE2E {
    @Nested
    class OfThree {
        @RegisterExtension
        static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3));

        @Test
        void majorityOutlivesOneNodeAndNotTwo() {
            majorityOutlivesTheRestAndNotOneMore(cluster, 3);
        }
    }

    @Nested
    class OfFive {
        @RegisterExtension
        static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(5).withReplicationFactor(5));

        @Test
        void majorityOutlivesTwoNodesAndNotThree() {
            majorityOutlivesTheRestAndNotOneMore(cluster, 5);
        }
    }

    @Nested
    class OfEight {
        @RegisterExtension
        static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(8).withReplicationFactor(8));

        @Test
        void majorityOutlivesThreeNodesAndNotFour() {
            majorityOutlivesTheRestAndNotOneMore(cluster, 8);
        }
    }

    private static void majorityOutlivesTheRestAndNotOneMore(TestCluster cluster, int size) {
        Quorum majority = Quorum.majorityOf(size);
        EntityClient client = new EntityClient(cluster.get());
        Node survivor = cluster.node(1);

        client.put(survivor, "size", "with all", majority).expect(201);
        try (Faults kills = new Faults()) {
            for (int victim = size; victim > majority.ack(); victim--) {
                kills.add(Kill.of(cluster.node(victim)));
            }
            assertThat(client.get(survivor, "size", majority).expect(200).body())
                    .isEqualTo("with all");
            assertThat(client.put(survivor, "size", "with enough", majority)
                            .expect(201)
                            .acks())
                    .isEqualTo(majority.toString());
            assertThat(client.get(cluster.node(2), "size", majority).expect(200).body())
                    .isEqualTo("with enough");

            kills.add(Kill.of(cluster.node(majority.ack())));
            client.put(survivor, "size", "with too few", majority).expect(504);
            client.get(survivor, "size", majority).expect(504);
        }
        client.put(survivor, "size", "with all again", majority).expect(201);
    }
}
