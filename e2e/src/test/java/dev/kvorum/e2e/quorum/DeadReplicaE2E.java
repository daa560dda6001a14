package dev.kvorum.e2e.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.client.Reply.Answered;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.fault.Fault;
import dev.kvorum.e2e.fault.Freeze;
import dev.kvorum.e2e.fault.Kill;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replicas that are gone or stand still: as many as must answer are enough, and where they can't be had anymore that is said at once. */
@Tag("minutes")
class DeadReplicaE2E {
    /** A request may take 9 s in all here, and one replica 8 s. */
    private static final Duration WELL_BEFORE_THE_DEADLINE = Duration.ofSeconds(6);

    private static final Duration WELL_BEFORE_A_REPLICA_IS_GIVEN_UP = Duration.ofSeconds(5);

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3));

    private EntityClient client;

    @BeforeEach
    void connect() {
        client = new EntityClient(cluster.get());
    }

    @Test
    void acknowledgedWriteIsReadableWhileOneReplicaIsFrozen() {
        try (Fault frozen = Freeze.of(cluster.node(3))) {
            Reply written = client.put(cluster.node(1), "frozen", "two apples", Quorum.MAJORITY_OF_3);
            Reply read = client.get(cluster.node(2), "frozen", Quorum.MAJORITY_OF_3);

            assertThat(written.expect(201).acks()).isEqualTo("2/3");
            assertThat(written.took()).isLessThan(WELL_BEFORE_A_REPLICA_IS_GIVEN_UP);
            assertThat(read.expect(200).body()).isEqualTo("two apples");
            assertThat(read.took()).isLessThan(WELL_BEFORE_A_REPLICA_IS_GIVEN_UP);
            assertThat(read.answered().version()).isEqualTo(written.answered().version());
        }
    }

    @Test
    void clientsDoNotNoticeThatOneReplicaIsKilledAndComesBack() {
        Tally tally;
        try (Traffic traffic = Traffic.start(cluster.get(), TrafficPlan.calm("killed-", Quorum.MAJORITY_OF_3))) {
            traffic.awaitMore(200);
            try (Fault killed = Kill.of(cluster.node(3))) {
                traffic.awaitMore(400);
            }
            traffic.awaitMore(200);
            tally = traffic.stop();
        }

        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
        assertThat(tally.refusals().keySet())
                .as("nodes that did not serve: %s", tally)
                .isSubsetOf("n3");
    }

    /** It takes longer to start than the others take until they look for it twice in a second only. */
    @Test
    void memberThatIsReadyAgainCountsForTheNextWrite() {
        try (Fault killed = Kill.of(cluster.node(2))) {
            Reply without = client.put(cluster.node(1), "back", "two", Quorum.MAJORITY_OF_3);
            assertThat(without.expect(201).acks()).isEqualTo("2/3");
        }

        Reply one = client.put(cluster.node(1), "back", "through one", Quorum.ALL_OF_3);
        Reply other = client.put(cluster.node(3), "back", "through another", Quorum.ALL_OF_3);

        assertThat(one.expect(201).acks()).isEqualTo("3/3");
        assertThat(other.expect(201).acks()).isEqualTo("3/3");
    }

    @Test
    void writeToAllThreeIsRefusedAtOnceWhenOneIsGoneAndSaysWhich() {
        try (Fault killed = Kill.of(cluster.node(3))) {
            Reply reply = client.put(cluster.node(1), "gone", "to all", Quorum.ALL_OF_3);

            assertThat(reply.took()).isLessThan(WELL_BEFORE_THE_DEADLINE);
            Answered answered = reply.answered();
            assertThat(answered.status()).isEqualTo(504);
            assertThat(answered.body()).contains("quorum-unavailable").contains("\"member\":\"n3\"");
        }
    }

    @Test
    void quorumOutOfReachIsAnsweredEarly() {
        try (Fault one = Kill.of(cluster.node(2));
                Fault other = Kill.of(cluster.node(3))) {
            Reply written = client.put(cluster.node(1), "alone", "to whom", Quorum.MAJORITY_OF_3);
            Reply read = client.get(cluster.node(1), "alone", Quorum.MAJORITY_OF_3);
            Reply alone = client.put(cluster.node(1), "alone", "to me", Quorum.ONE_OF_3);

            assertThat(written.answered().status()).isEqualTo(504);
            assertThat(written.took()).isLessThan(WELL_BEFORE_THE_DEADLINE);
            assertThat(written.answered().body()).contains("\"member\":\"n2\"").contains("\"member\":\"n3\"");
            assertThat(read.answered().status()).isEqualTo(504);
            assertThat(read.took()).isLessThan(WELL_BEFORE_THE_DEADLINE);
            assertThat(alone.answered().acks()).isEqualTo("1/3");
        }
    }
}
