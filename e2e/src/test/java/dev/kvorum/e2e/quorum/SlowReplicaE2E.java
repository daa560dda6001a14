package dev.kvorum.e2e.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Delay;
import dev.kvorum.e2e.fault.Fault;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One replica of three is late: who does not need it does not wait for it, who needs it does. */
class SlowReplicaE2E {
    private static final Duration LATE = Duration.ofMillis(300);
    private static final int REQUESTS = 21;
    private static final int WARM_UP =
            100; // Pairs. What is compared with a time must not be that of a JVM that has just started.

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3).behindProxies());

    private EntityClient client;

    @BeforeEach
    void connect() {
        client = new EntityClient(cluster.get());
        for (int i = 0; i < WARM_UP; i++) {
            write("warm-", i, Quorum.ALL_OF_3).expect(201);
            client.get(cluster.node(1), "warm-" + i, Quorum.ALL_OF_3).expect(200);
        }
    }

    @Test
    void writeToTwoOfThreeDoesNotWaitForTheSlowOne() {
        try (Fault slow = Delay.of(cluster.get(), cluster.node(3), LATE)) {
            Duration median = median(i -> write("w23-", i, Quorum.MAJORITY_OF_3));

            assertThat(median).isLessThan(LATE.dividedBy(2));
        }
    }

    @Test
    void readFromTwoOfThreeDoesNotWaitForTheSlowOne() {
        client.put(cluster.node(1), "r23", client.fresh("before"), Quorum.ALL_OF_3)
                .expect(201);

        try (Fault slow = Delay.of(cluster.get(), cluster.node(3), LATE)) {
            Duration median = median(i -> client.get(cluster.node(1), "r23", Quorum.MAJORITY_OF_3));

            assertThat(median).isLessThan(LATE.dividedBy(2));
        }
    }

    @Test
    void writeToAllThreeWaitsForTheSlowOneAndSaysThatItHasIt() {
        try (Fault slow = Delay.of(cluster.get(), cluster.node(3), LATE)) {
            Reply reply = write("w33-", 0, Quorum.ALL_OF_3);

            assertThat(reply.expect(201).acks()).isEqualTo("3/3");
            assertThat(reply.took()).isGreaterThanOrEqualTo(LATE);
        }
    }

    @Test
    void readFromAllThreeWaitsForTheSlowOne() {
        client.put(cluster.node(1), "r33", client.fresh("to all"), Quorum.ALL_OF_3)
                .expect(201);

        try (Fault slow = Delay.of(cluster.get(), cluster.node(3), LATE)) {
            Reply reply = client.get(cluster.node(1), "r33", Quorum.ALL_OF_3);

            assertThat(reply.expect(200).acks()).isEqualTo("3/3");
            assertThat(reply.took()).isGreaterThanOrEqualTo(LATE);
        }
    }

    /** What all have confirmed, each has: also the one that is slow to be asked. */
    @Test
    void writeToAllThreeIsReadFromAnyOneOfThem() {
        for (int i = 0; i < REQUESTS; i++) {
            String value = client.fresh("any-" + i);
            client.put(cluster.node(1), "any-" + i, value, Quorum.ALL_OF_3).expect(201);
            for (Node node : cluster.get().nodes()) {
                assertThat(client.get(node, "any-" + i, Quorum.ONE_OF_3)
                                .expect(200)
                                .body())
                        .as("%s", node)
                        .isEqualTo(value);
            }
        }
    }

    private Reply write(String key, int i, Quorum quorum) {
        return client.put(cluster.node(1), key + i, client.fresh(key + i), quorum);
    }

    private static Duration median(IntFunction<Reply> request) {
        return IntStream.range(0, REQUESTS)
                .mapToObj(request)
                .peek(reply -> assertThat(reply.isServed()).as("%s", reply).isTrue())
                .map(Reply::took)
                .sorted()
                .toList()
                .get(REQUESTS / 2);
    }
}
