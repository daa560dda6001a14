package dev.kvorum.node.hint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import java.util.List;
import org.junit.jupiter.api.Test;

class HintRoutesTest {
    private static final Key KEY = Key.of("cart-7");

    private final Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3", "n4", "n5"));
    private final HintRoutes routes = new HintRoutes(membership, new ManualMembers(() -> 0)::on);
    private final List<String> owners =
            membership.view().owners(KEY, 5).stream().map(Member::id).toList();

    private List<String> targets(String member, int copies) {
        return routes.route(member, KEY, copies).replicas().stream()
                .map(ObservedReplica::member)
                .toList();
    }

    @Test
    void memberThatOwnsTheKeyGetsItsHint() {
        for (String owner : owners.subList(0, 3)) {
            assertThat(targets(owner, 3)).containsExactly(owner);
        }
    }

    @Test
    void hintOfAMemberThatDoesNotOwnTheKeyGoesToThoseWhoDo() {
        assertThat(targets(owners.get(3), 3)).isEqualTo(owners.subList(0, 3));
        assertThat(targets("n9", 3)).isEqualTo(owners.subList(0, 3));
    }

    /** The write asked for one copy, or two: repairing it must not make more of them. */
    @Test
    void keyGetsNoMoreCopiesThanItsWriteAskedFor() {
        assertThat(targets(owners.get(0), 1)).containsExactly(owners.get(0));
        assertThat(targets(owners.get(1), 1)).containsExactly(owners.get(0));
        assertThat(targets("n9", 2)).isEqualTo(owners.subList(0, 2));
    }

    /** Who joins owns keys already as far as writes are concerned; who comes instead of a former member may be either. */
    @Test
    void hintsGoToTheOwnersBeforeAndAfterARunningChange() {
        String joins = owners.getFirst();
        List<Member> members = owners.stream()
                .map(id -> Topologies.member(id, id.equals(joins) ? MemberState.JOINING : MemberState.ACTIVE))
                .toList();

        membership.offer(Topologies.of(2, members));

        assertThat(targets(joins, 2)).containsExactly(joins);
        assertThat(targets(owners.get(2), 2)).containsExactly(owners.get(2));
        assertThat(targets("n9", 2)).containsExactlyInAnyOrder(owners.get(1), owners.get(2), joins);
        assertThat(routes.route("n9", KEY, 2).epoch()).isEqualTo(2);
    }

    @Test
    void newEpochCountsFromWhenItIsInForce() {
        String first = owners.getFirst();
        String[] others = owners.stream().filter(id -> !id.equals(first)).toArray(String[]::new);

        membership.offer(Topologies.of(2, others));

        assertThat(targets(first, 1)).containsExactly(owners.get(1));
    }
}
