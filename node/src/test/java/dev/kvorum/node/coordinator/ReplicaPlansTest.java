package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.topology.Member;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaPlansTest {
    private final Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3", "n4", "n5"));
    private final ReplicaPlans plans = new ReplicaPlans(
            membership, member -> ObservedReplicas.on(member, () -> 0), new ReadOrder(Placement.NEAR, bound -> 0));

    private List<String> planned(Key key, Quorum quorum) {
        return plans.forWrite(key, AskedQuorums.said(quorum)).replicas().stream()
                .map(Replica::member)
                .toList();
    }

    @Test
    void planIsTheFirstOwnersOfTheKeyWithThisNodeFirstWhereItIsOne() {
        for (int i = 0; i < 100; i++) {
            Key key = Key.of("key-" + i);
            List<String> owners =
                    membership.view().owners(key, 3).stream().map(Member::id).toList();

            List<String> planned = planned(key, new Quorum(2, 3));

            assertThat(planned).containsExactlyInAnyOrderElementsOf(owners);
            if (owners.contains("n1")) {
                assertThat(planned).first().isEqualTo("n1");
            } else {
                assertThat(planned).isEqualTo(owners);
            }
        }
    }

    @Test
    void planGoesByTheLatestEpoch() {
        membership.offer(Topologies.of(2, "n2"));

        assertThat(planned(Key.of("cart-7"), new Quorum(1, 1))).containsExactly("n2");
    }
}
