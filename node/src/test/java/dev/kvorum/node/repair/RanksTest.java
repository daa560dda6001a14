package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import java.util.List;
import org.junit.jupiter.api.Test;

class RanksTest {
    private static final ClusterView STEADY = ClusterView.of("n1", Topologies.of(1, "n1", "n2", "n3"));
    private static final ClusterView CHANGING = ClusterView.of(
            "n1",
            Topologies.of(
                    2,
                    List.of(
                            Topologies.member("n1"),
                            Topologies.member("n2"),
                            Topologies.member("n3", MemberState.LEAVING),
                            Topologies.member("n4", MemberState.JOINING))));

    @Test
    void rankIsThePlaceAmongTheOwners() {
        List<String> order =
                STEADY.placement().order(7).stream().map(Member::id).toList();

        assertThat(order).extracting(id -> Ranks.now(STEADY, 7, id)).containsExactly(0, 1, 2);
        assertThat(Ranks.now(STEADY, 7, "n9")).isEqualTo(-1);
        assertThat(order).extracting(id -> Ranks.nowOrNext(STEADY, 7, id)).containsExactly(0, 1, 2);
        assertThat(Ranks.isStable(STEADY)).isTrue();
    }

    @Test
    void duringAChangeTheBetterPlaceCounts() {
        assertThat(Ranks.isStable(CHANGING)).isFalse();
        for (int partition = 0; partition < Topologies.PARTITIONS; partition++) {
            assertThat(Ranks.now(CHANGING, partition, "n4")).isEqualTo(-1);
            assertThat(Ranks.nowOrNext(CHANGING, partition, "n4")).isBetween(0, 2);
            assertThat(Ranks.nowOrNext(CHANGING, partition, "n3")).isEqualTo(Ranks.now(CHANGING, partition, "n3"));
            assertThat(Ranks.nowOrNext(CHANGING, partition, "n1"))
                    .isEqualTo(Math.min(Ranks.now(CHANGING, partition, "n1"), next(partition, "n1")));
            assertThat(Ranks.nowOrNext(CHANGING, partition, "n9")).isEqualTo(-1);
        }
    }

    private static int next(int partition, String id) {
        ClusterView after = ClusterView.of("n1", Topologies.of(3, "n1", "n2", "n4"));
        return Ranks.now(after, partition, id);
    }
}
