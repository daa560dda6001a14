package dev.kvorum.node.coordinator;

import static dev.kvorum.node.coordinator.QuorumPolicy.UNSAID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuorumPolicyTest {
    private static QuorumPolicy policy(int members, int readAck, int writeAck) {
        return new QuorumPolicy(
                membership(members),
                Settings.of(QuorumSettings.class)
                        .with("readAck", readAck)
                        .with("writeAck", writeAck)
                        .get());
    }

    private static Membership membership(int members) {
        String[] ids = IntStream.rangeClosed(1, members).mapToObj(i -> "n" + i).toArray(String[]::new);
        return new Membership("n1", Topologies.of(1, ids));
    }

    private static ClusterView view(int members) {
        return membership(members).view();
    }

    /** The replication factor is 3. */
    @ParameterizedTest(name = "{0} members, ack {1}, from {2}")
    @CsvSource({
        "5, 0, 0, 2/3",
        "3, 0, 0, 2/3",
        "2, 0, 0, 2/2",
        "1, 0, 0, 1/1",
        "5, 1, 0, 1/3",
        "5, 3, 0, 3/3",
        "5, 0, 5, 3/5",
        "5, 0, 1, 1/1",
        "5, 4, 5, 4/5",
        "5, 2, 2, 2/2"
    })
    void whatARequestDoesNotSayIsAMajorityOfTheReplicationFactor(int members, int ack, int from, String quorum) {
        assertThat(policy(members, 0, 0).forRead(ack, from).of(view(members))).hasToString(quorum);
        assertThat(policy(members, 0, 0).forWrite(ack, from).of(view(members))).hasToString(quorum);
    }

    @Test
    void readsAndWritesHaveTheirOwnPolicy() {
        QuorumPolicy policy = policy(3, 1, 3);

        assertThat(policy.forRead(UNSAID, UNSAID).of(view(3))).isEqualTo(new Quorum(1, 3));
        assertThat(policy.forWrite(UNSAID, UNSAID).of(view(3))).isEqualTo(new Quorum(3, 3));
        assertThat(policy.forRead(2, UNSAID).of(view(3))).isEqualTo(new Quorum(2, 3));
    }

    @Test
    void policyOfMoreThanAreAskedMeansAll() {
        assertThat(policy(3, 5, 0).forRead(UNSAID, 2).of(view(3))).isEqualTo(new Quorum(2, 2));
    }

    @Test
    void moreReplicasThanMembersAreRefusedWithTheReason() {
        assertThatThrownBy(() -> policy(3, 0, 0).forRead(1, 4))
                .isInstanceOf(InvalidQuorumException.class)
                .hasMessage("from is 4, but the cluster has 3 members that hold data");
    }

    @Test
    void moreAcksThanReplicasAreRefusedWithTheReason() {
        assertThatThrownBy(() -> policy(3, 0, 0).forWrite(3, 2))
                .isInstanceOf(InvalidQuorumException.class)
                .hasMessage("ack is 3, but must be at most from, which is 2");
        assertThatThrownBy(() -> policy(2, 0, 0).forWrite(3, UNSAID))
                .isInstanceOf(InvalidQuorumException.class)
                .hasMessage("ack is 3, but must be at most from, which is 2 where the request does not say it");
    }

    @Test
    void laterEpochCountsAtOnce() {
        Membership membership = membership(1);
        QuorumPolicy policy =
                new QuorumPolicy(membership, Settings.of(QuorumSettings.class).get());

        membership.offer(Topologies.of(2, "n1", "n2", "n3"));

        assertThat(policy.forRead(3, 3).of(view(3))).isEqualTo(new Quorum(3, 3));
    }
}
