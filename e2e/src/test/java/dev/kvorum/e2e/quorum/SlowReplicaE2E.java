package dev.kvorum.e2e.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.cluster.ClusterSpec;
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

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3).behindProxies());

    private EntityClient client;

    @BeforeEach
    void connect() {
        client = new EntityClient(cluster.get());
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
        assertThat(client.put(cluster.node(1), "r23", "before", Quorum.ALL_OF_3).is(201))
                .isTrue();

        try (Fault slow = Delay.of(cluster.get(), cluster.node(3), LATE)) {
            Duration median = median(i -> client.get(cluster.node(1), "r23", Quorum.MAJORITY_OF_3));

            assertThat(median).isLessThan(LATE.dividedBy(2));
        }
    }

    @Test
    void writeToAllThreeWaitsForTheSlowOneAndSaysThatItHasIt() {
        try (Fault slow = Delay.of(cluster.get(), cluster.node(3), LATE)) {
            Reply reply = write("w33-", 0, Quorum.ALL_OF_3);

            assertThat(reply.took()).isGreaterThanOrEqualTo(LATE);
            assertThat(reply.answered().acks()).isEqualTo("3/3");
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
