package dev.kvorum.node.consensus;

import static dev.kvorum.node.consensus.RegisterCluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.RegisterCluster.Node;
import dev.kvorum.node.coordinator.ReadOutcome;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegisterReadTest {
    private static final long START = 1_700_000_000_000L << 16;

    private final RegisterCluster cluster =
            new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1", "n2", "n3"));
    private final Node node = cluster.node("n1");
    private final Node second = cluster.node("n2");
    private final Node third = cluster.node("n3");
    private final List<ReadOutcome> outcomes = new ArrayList<>();

    private static Cell cell(long count) {
        return Draft.ofValue(new byte[] {(byte) count}).stamp(KEY, new Version(START + count, 5), 3);
    }

    private void put(Node at, Cell cell) {
        at.registers.write(at.partition(), KEY, cell);
    }

    private void read() {
        var _ = node.coordinator.read(KEY).subscribe(outcomes::add);
    }

    private void assertFound(Cell cell) {
        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ReadOutcome.Found.class, found -> {
            assertThat(found.cell()).isEqualTo(cell);
            assertThat(found.acks()).isEqualTo(2);
            assertThat(found.quorum().toString()).isEqualTo("2/3");
        });
    }

    @Test
    void cellThatAMajorityHasIsReadWithOneQuestion() {
        cluster.nodes.values().forEach(each -> put(each, cell(1)));
        read();

        cluster.deliverAll();

        assertFound(cell(1));
        assertThat(cluster.nodes.values())
                .extracting(each -> each.registers.steps)
                .containsOnly(1);
        assertThat(node.count("kvorum.register.reads.written.back")).isZero();
    }

    @Test
    void newestCellIsBroughtToAMajorityBeforeItIsTold() {
        third.isUp = false;
        put(node, cell(1));
        put(second, cell(2));
        read();

        cluster.deliverAll();

        assertFound(cell(2));
        assertThat(node.cell()).isEqualTo(cell(2));
        assertThat(second.registers.steps).isOne(); // It has the cell already.
        assertThat(node.count("kvorum.register.reads.written.back")).isOne();
    }

    @Test
    void newestCellThatNoMajorityTakesIsNotTold() {
        third.isUp = false;
        put(second, cell(1));
        read();
        cluster.deliver(); // The answer of n2 is on its way.
        node.registers.failure = new IllegalStateException("planned");

        cluster.pass(Duration.ofSeconds(1));

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ReadOutcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.shortfall().failures())
                                .extracting(ReplicaFailure::reason)
                                .containsExactlyInAnyOrder(Reason.BROKEN, Reason.TIMED_OUT));
    }

    @Test
    void nothingAndADeletionAreBothAbsent() {
        Cell deletion = Draft.tombstone().stamp(KEY, new Version(START + 1, 5), 3);
        read();
        cluster.deliverAll();
        cluster.nodes.values().forEach(each -> put(each, deletion));
        read();
        cluster.deliverAll();

        assertThat(outcomes)
                .containsExactly(
                        new ReadOutcome.Absent(null, 2, new Quorum(2, 3)),
                        new ReadOutcome.Absent(deletion.version(), 2, new Quorum(2, 3)));
    }

    @Test
    void readThatMissesItsMajorityForLackOfRoomIsRejected() {
        second.registers.failure = new StoreOverloadedException();
        third.registers.failure = new StoreOverloadedException();
        read();

        cluster.deliverAll();

        assertThat(outcomes).singleElement().isInstanceOf(ReadOutcome.Rejected.class);
    }

    @Test
    void readWhoseOwnersChangeAgainAndAgainTimesOut() {
        second.isUp = false;
        third.isUp = false;
        read();

        for (int tick = 1; tick < 3000; tick++) {
            if (tick % 300 == 0) {
                node.membership.offer(Topologies.of(1 + tick / 300, "n1", "n2", "n3"));
            }
            cluster.tick();
        }
        assertThat(outcomes).isEmpty();
        cluster.tick();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ReadOutcome.TimedOut.class,
                        late -> assertThat(late.shortfall().quorum().toString()).isEqualTo("2/3"));
    }

    @Test
    void readIsNotBegunAnewAtItsEnd() {
        second.isUp = false;
        third.isUp = false;
        read();
        node.membership.offer(Topologies.of(2, "n1", "n2", "n3"));
        int before = node.registers.steps;

        cluster.freeze(Duration.ofSeconds(3));
        node.deadlines.sweep(); // The calls have failed for long, and the time of the read is up.

        assertThat(outcomes).singleElement().isInstanceOf(ReadOutcome.Unavailable.class);
        assertThat(node.registers.steps).isEqualTo(before);
    }
}
