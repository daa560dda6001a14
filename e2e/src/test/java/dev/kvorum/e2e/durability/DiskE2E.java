package dev.kvorum.e2e.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.client.Reply.Answered;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Fault;
import dev.kvorum.e2e.fault.FullDisk;
import dev.kvorum.e2e.fault.SlowDisk;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Disks that are slow or full: of one replica they are no matter of the other two. */
class DiskE2E {
    private static final Duration FULL_MAX = Duration.ofSeconds(60);
    private static final Duration HEALED_MAX = Duration.ofSeconds(60);

    @Nested
    class Slow {
        private static final int WRITES_PER_SECOND = 5;
        private static final int REQUESTS = 11;

        @RegisterExtension
        static final TestCluster cluster =
                TestCluster.of(ClusterSpec.ofNodes(3).with("kvorum.storage.durability=fsync"));

        @Test
        void majorityDoesNotWaitForASlowDiskAndAllDo() {
            EntityClient client = new EntityClient(cluster.get());
            Node node = cluster.node(1);

            try (Fault slow = SlowDisk.of(cluster.node(3), WRITES_PER_SECOND)) {
                List<Duration> majority =
                        took(i -> client.put(node, "slow-" + i, client.fresh("m" + i), Quorum.MAJORITY_OF_3)
                                .expect(201));
                Eventually.await(
                        "n3 has caught up",
                        HEALED_MAX,
                        () -> client.put(node, "slow", client.fresh("" + System.nanoTime()), Quorum.ALL_OF_3)
                                .is(201));
                List<Duration> all = took(i -> client.put(node, "all-" + i, client.fresh("a" + i), Quorum.ALL_OF_3)
                        .expect(201));

                assertThat(majority.get(REQUESTS / 2).multipliedBy(2)).isLessThan(all.get(REQUESTS / 2));
            }
        }

        /** From the shortest to the longest. */
        private static List<Duration> took(IntFunction<Answered> request) {
            return IntStream.range(0, REQUESTS)
                    .mapToObj(request)
                    .map(Answered::took)
                    .sorted()
                    .toList();
        }
    }

    @Nested
    class Full {
        private static final int DISK_MIB = 128;
        /** What the log has taken of the disk beforehand, some MiB, is soon full of these. */
        private static final int LARGE_BYTES = 1 << 18;

        private static final int SMALL_BYTES = 1 << 14;

        @RegisterExtension
        static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3).withDisksOfMib(DISK_MIB));

        @Test
        void majorityIsWrittenWhileOneDiskIsFullAndAllAreAgainWhenItHasRoom() {
            EntityClient client = new EntityClient(cluster.get());
            Node victim = cluster.node(3);

            try (Fault full = FullDisk.of(victim)) {
                Eventually.await(
                        "a write to all three says that n3 has not taken it",
                        FULL_MAX,
                        new Attempts(client, "refused-", LARGE_BYTES)::nextIs504NamingN3);
                client.put(cluster.node(1), "full", "to two", Quorum.MAJORITY_OF_3)
                        .expect(201);
                assertThat(client.get(cluster.node(2), "full", Quorum.MAJORITY_OF_3)
                                .expect(200)
                                .body())
                        .isEqualTo("to two");
                assertThat(victim.state().getRunning()).isTrue();
            }

            Eventually.await(
                    "all three are written again", HEALED_MAX, new Attempts(client, "again-", SMALL_BYTES)::nextIs201);
        }

        /** Writes to all three, each with another key and value. */
        private static final class Attempts {
            private final EntityClient client;
            private final String prefix;
            private final int valueBytes;
            private int next;

            Attempts(EntityClient client, String prefix, int valueBytes) {
                this.client = client;
                this.prefix = prefix;
                this.valueBytes = valueBytes;
            }

            boolean nextIs504NamingN3() {
                Reply reply = next();
                return reply.is(504) && reply.answered().body().contains("\"member\":\"n3\"");
            }

            boolean nextIs201() {
                return next().is(201);
            }

            private Reply next() {
                next++;
                String value = client.fresh(prefix + next) + "-".repeat(valueBytes);
                return client.put(cluster.node(1), prefix + next, value, Quorum.ALL_OF_3);
            }
        }
    }
}
