package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.repair.RepairCluster.Node;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletions are dropped in the end, and nothing that was deleted comes back, whoever was away when and for how long. */
@Timeout(60)
@Tag("check")
class DeletedStaysDeletedTest {
    private static final int P = 0;
    private static final Duration DAY = Duration.ofDays(1);

    private final RepairCluster cluster = new RepairCluster(1, 3, 1, RepairCluster.INTERVAL);
    private final Key key = cluster.key(P, "cart");
    private final Node first = cluster.order(P).get(0);
    private final Node third = cluster.order(P).get(2);
    private final Cell value = cluster.value(key, "apples", 3);
    private Cell deletion = cluster.tombstone(key, 3);

    private void write(Cell cell, List<Node> nodes) {
        nodes.forEach(node -> node.store.put(key, cell));
    }

    private void writeAndDelete() {
        write(value, cluster.nodes());
        cluster.pass(Duration.ofMinutes(1));
        deletion = cluster.tombstone(key, 3);
        write(deletion, cluster.nodes());
    }

    /** With the next run. */
    private void passUntilItMayBeDropped() {
        cluster.pass(RepairCluster.GRACE);
        while (first.verifications().droppableBefore(P) <= deletion.version().millis()) {
            cluster.pass(Duration.ofMinutes(10));
        }
    }

    private boolean isHeldBy(Node node) {
        return node.store.get(key).isPresent();
    }

    private void assertNobodyHasTheValue() {
        assertThat(cluster.nodes())
                .allSatisfy(
                        node -> assertThat(node.store.get(key)).as(node.id).isNotEqualTo(java.util.Optional.of(value)));
    }

    @Test
    void deletionIsDroppedByAllOnceAllHaveHeldItForTheGracePeriod() {
        writeAndDelete();

        cluster.pass(RepairCluster.GRACE);
        assertThat(cluster.nodes()).allMatch(this::isHeldBy);

        cluster.pass(RepairCluster.GRACE.plus(DAY));
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
        assertThat(cluster.counted("kvorum.repair.dropped")).isEqualTo(3);

        cluster.pass(RepairCluster.GRACE);
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
    }

    /** Each overwritten with fewer copies than the one before: the third owner holds the second value, which it need not. */
    @Test
    void deletionReachesWhoHoldsTheValueThoughItNeedNot() {
        write(value, cluster.nodes());
        cluster.pass(Duration.ofMinutes(1));
        Cell second = cluster.value(key, "pears", 2);
        write(second, cluster.order(P).subList(0, 2));
        cluster.pass(DAY);
        assertThat(third.store.get(key)).contains(second);
        write(cluster.tombstone(key, 1), List.of(first));

        cluster.pass(RepairCluster.GRACE.multipliedBy(3));

        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
    }

    /** The second owner sees nothing of a deletion of one copy; so it can't tell whether the value that the third still holds was deleted, while the first can't ask the third. */
    @Test
    void deletionIsNotDroppedByARunThatCanNotTellWhetherAValueIsDeleted() {
        write(value, cluster.nodes());
        cluster.pass(Duration.ofMinutes(1));
        write(cluster.value(key, "pears", 1), List.of(first));
        cluster.pass(DAY);
        Node second = cluster.order(P).get(1);
        second.store.all(P).clear();
        cluster.part(first, third);
        Cell ofOne = cluster.tombstone(key, 1);
        write(ofOne, List.of(first));

        cluster.pass(RepairCluster.GRACE.multipliedBy(3));

        assertThat(first.store.get(key)).contains(ofOne);
        assertThat(first.repair().verifiedAt(P))
                .isLessThan(cluster.now() - RepairCluster.GRACE.multipliedBy(2).toMillis());

        cluster.heal();
        cluster.pass(DAY);
        assertThat(third.store.get(key)).contains(ofOne);
        cluster.pass(RepairCluster.GRACE.minus(DAY.multipliedBy(2)));
        assertThat(third.store.get(key)).as("it has not had it for long").contains(ofOne);

        cluster.pass(RepairCluster.GRACE.plus(DAY.multipliedBy(2)));
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
    }

    @Test
    void valueIsNeverDropped() {
        write(value, cluster.nodes());

        cluster.pass(RepairCluster.GRACE.multipliedBy(4));

        assertThat(cluster.nodes()).allMatch(this::isHeldBy);
    }

    @Test
    void valueThatIsWrittenAfterTheDeletionStays() {
        writeAndDelete();
        cluster.pass(RepairCluster.GRACE);
        Cell again = cluster.value(key, "pears", 3);
        write(again, cluster.nodes());

        cluster.pass(RepairCluster.GRACE.multipliedBy(2));

        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(node.store.get(key)).contains(again));
    }

    /** It has missed the deletion. However long it was away, and whatever the others have dropped meanwhile, it learns of it. */
    @ParameterizedTest(name = "away for {0} days")
    @ValueSource(ints = {0, 1, 9, 10, 11, 19, 21, 40})
    void deadNodeThatComesBackBringsNothingBack(int days) {
        write(value, cluster.nodes());
        cluster.pass(DAY);
        third.stop();
        deletion = cluster.tombstone(key, 3);
        write(deletion, cluster.order(P).subList(0, 2));
        cluster.pass(DAY.multipliedBy(days).plusMinutes(1));

        third.start(RepairCluster.INTERVAL);

        assertThat(first.store.get(key)).as("while one was away").contains(deletion);
        cluster.pass(RepairCluster.INTERVAL.multipliedBy(2));
        assertNobodyHasTheValue();
        cluster.pass(RepairCluster.GRACE.multipliedBy(2).plus(DAY));
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
    }

    /** The disk is an old one of its own, as from a snapshot, but no older than the grace period. */
    @ParameterizedTest(name = "snapshot of day {0}, restored on day {1}")
    @org.junit.jupiter.params.provider.CsvSource({"9, 11", "9, 18", "12, 21"})
    void diskYoungerThanTheGracePeriodBringsNothingBack(int snapshotDay, int restoreDay) {
        write(value, cluster.nodes());
        cluster.pass(Duration.ofHours(1));
        deletion = cluster.tombstone(key, 3);
        write(deletion, cluster.order(P).subList(0, 2));
        cluster.cut(third); // So that it gets the deletion as late as it can.
        cluster.pass(DAY.multipliedBy(snapshotDay));
        MemoryStore snapshot = third.store.copy();
        cluster.heal();
        cluster.pass(DAY.multipliedBy(restoreDay - snapshotDay));
        assertThat(third.store.get(key)).isNotEqualTo(java.util.Optional.of(value));

        third.stop();
        third.store = snapshot;
        third.start(RepairCluster.INTERVAL);

        cluster.pass(RepairCluster.INTERVAL.multipliedBy(3));
        assertNobodyHasTheValue();
    }

    /** One was slower to drop it, or was told later. */
    @Test
    void deletionThatOneHasDroppedAndAnotherNotDoesNotComeBack() {
        writeAndDelete();
        cluster.pass(RepairCluster.GRACE.multipliedBy(2).plus(DAY));
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
        third.store.put(key, deletion);

        RepairOutcome outcome = cluster.repair(first, P);

        assertThat(outcome).isInstanceOf(RepairOutcome.Verified.class);
        assertThat(outcome.exchanged()).isEqualTo(Exchanged.NOTHING);
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
    }

    /** Whoever joins may have got the value before it was deleted. */
    @Test
    void nothingIsDroppedWhileMembersChange() {
        List<Member> members = new ArrayList<>(cluster.topology().members());
        members.add(Topologies.member("n4", MemberState.JOINING));
        cluster.become(new Topology("demo", 2, 3, 1, members));
        writeAndDelete();

        cluster.pass(RepairCluster.GRACE.multipliedBy(4));

        assertThat(first.repair().verifiedAt(P)).isGreaterThan(cluster.now() - 2 * RepairCluster.INTERVAL.toMillis());
        assertThat(cluster.order(P)).allMatch(this::isHeldBy);
    }

    @Test
    void expiredValueIsDroppedLikeADeletion() {
        byte[] bytes = value.bytes().clone();
        ByteBuffer.wrap(bytes).putLong(20, cluster.now() + DAY.multipliedBy(15).toMillis());
        write(Cell.decode(bytes).anew(key, value.version(), 3), cluster.nodes());

        cluster.pass(RepairCluster.GRACE.multipliedBy(2).plus(DAY));
        assertThat(cluster.nodes()).allMatch(this::isHeldBy);

        cluster.pass(RepairCluster.GRACE.multipliedBy(2));
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
    }

    /** The third owner got the deletion late, by a run of its own that verified nothing: whoever compares next must not take it to have had it for long. */
    @Test
    void deletionIsNotDroppedSoonAfterSomebodyGotItByARunThatVerifiedNothing() {
        writeAndDelete();
        passUntilItMayBeDropped();
        third.store.all(P).put(key, value);
        cluster.cut(first);
        assertThat(cluster.repair(cluster.order(P).get(1), P)).isInstanceOf(RepairOutcome.Incomplete.class);
        assertThat(third.store.get(key)).contains(deletion);
        cluster.heal();

        assertThat(cluster.repair(first, P)).isInstanceOf(RepairOutcome.Verified.class);
        cluster.pass(RepairCluster.GRACE.minus(DAY));
        assertThat(cluster.nodes()).as("it has not had it for long").allMatch(this::isHeldBy);

        cluster.pass(RepairCluster.GRACE.plus(DAY));
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
    }

    /** It pulled the value before that was deleted, and learnt of the deletion only after it had joined; the others had held it for the grace period by then. */
    @Test
    void deletionIsNotDroppedBeforeWhoHasJoinedHasHeldItForTheGracePeriod() {
        writeAndDelete();
        passUntilItMayBeDropped();
        List<Member> members = new ArrayList<>(cluster.topology().members());
        members.add(Topologies.member("n4"));
        cluster.become(new Topology("demo", 2, 3, 1, members));
        Node fourth = cluster.node("n4");
        fourth.start(RepairCluster.INTERVAL);
        fourth.store.all(P).put(key, value);

        cluster.pass(RepairCluster.GRACE.minus(DAY));
        assertThat(cluster.order(P)).as("it has not had it for long").allMatch(this::isHeldBy);

        cluster.pass(RepairCluster.GRACE.plus(DAY));
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
    }

    /** All were known to have it, it may be dropped with the next run; and then one has something older all the same. */
    @Test
    void deletionGoesToWhoeverHasSomethingOlderBeforeItIsDropped() {
        writeAndDelete();
        passUntilItMayBeDropped();
        assertThat(cluster.nodes()).allMatch(this::isHeldBy);
        third.store.all(P).put(key, value);

        assertThat(cluster.repair(first, P)).isInstanceOf(RepairOutcome.Verified.class);
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(node.store.get(key)).contains(deletion));

        cluster.pass(RepairCluster.GRACE.minus(DAY));
        assertThat(cluster.nodes()).as("it has not had it for long").allMatch(this::isHeldBy);

        cluster.pass(RepairCluster.GRACE.plus(DAY));
        assertThat(cluster.nodes()).noneMatch(this::isHeldBy);
    }
}
