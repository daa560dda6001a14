package dev.kvorum.node.transfer;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import dev.kvorum.node.storage.rocks.RocksStore;
import dev.kvorum.node.storage.rocks.SmallStore;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What n1 holds on a real disk when others have come to own it; whether they were given it says the test. */
@Timeout(60)
class FormerPartitionsTest {
    private static final Topology FIVE = Topologies.of(5, "n1", "n2", "n3", "n4", "n5");
    private static final Duration GRACE = Duration.ofDays(10);
    private static final int FORMER = partitionOfRank(4); // Of which n1 has to hold what has five copies.
    private static final int OWNED = partitionOfRank(0);

    @TempDir
    Path directory;

    private final ManualSync sync = new ManualSync();
    private final AtomicLong nanos = new AtomicLong();
    private final Deadlines deadlines = new Deadlines(nanos::get, () -> {});
    private final Membership membership = new Membership("n1", FIVE);
    private RocksStore store;
    private FormerPartitions former;
    private long time;

    private static int partitionOfRank(int rank) {
        Placement placement = Placement.current(FIVE);
        return IntStream.range(0, Topologies.PARTITIONS)
                .filter(partition -> rankOf(placement.order(partition)) == rank)
                .findFirst()
                .orElseThrow();
    }

    private static int rankOf(List<Member> order) {
        return order.stream().map(Member::id).toList().indexOf("n1");
    }

    @BeforeEach
    void open() {
        store = SmallStore.open(directory);
        TransferParts parts = new TransferParts(
                membership,
                sync,
                store.partitions(),
                store.drops(),
                store.notes(),
                deadlines,
                new DataAge(this::wallMillis, () -> 0, GRACE),
                1000);
        former = new FormerPartitions(parts, new TransferMetrics(new SimpleMeterRegistry()), () -> {});
    }

    @AfterEach
    void close() {
        former.close();
        store.close();
    }

    private long wallMillis() {
        return nanos.get() / 1_000_000;
    }

    private void fill(int partition, int copies, int cells) {
        for (int i = 0; i < cells; i++) {
            Key key = Key.of(copies + "-" + i);
            Cell cell = Draft.ofValue(new byte[10]).stamp(key, new Version(++time << 16, 1), copies);
            store.write(partition, key, cell).block();
        }
    }

    private int held(int partition) {
        Scanned scanned = store.partitions()
                .scan(KeyRange.of(partition), ScanLimit.PAGE, (key, cell) -> true)
                .block();
        return scanned == null ? -1 : scanned.cells();
    }

    private void until(String claim, BooleanSupplier condition) {
        eventually(claim, () -> {
            nanos.addAndGet(Duration.ofMillis(100).toNanos());
            var _ = deadlines.sweep();
            return condition.getAsBoolean();
        });
    }

    private boolean isDone() {
        return former.report().pending() == 0;
    }

    @Test
    void partitionIsDroppedWhenItsOwnersWereGivenItAndWhatIsOwnedStays() {
        fill(FORMER, 3, 20);
        fill(OWNED, 3, 20);

        former.become(membership.view(), 0, true);
        until("all is looked at", this::isDone);

        assertThat(sync.given).containsExactly(FORMER);
        assertThat(held(FORMER)).isZero();
        assertThat(held(OWNED)).isEqualTo(20);
        assertThat(former.report().dropped()).isOne();
    }

    @Test
    void partitionStaysUntilAllItsOwnersWereGivenIt() {
        fill(FORMER, 3, 20);
        sync.fail(2);

        former.become(membership.view(), 0, true);
        until("it has failed", () -> !former.report().failure().isEmpty());
        assertThat(held(FORMER)).isEqualTo(20);
        assertThat(former.report().failure()).contains("n1: as the test says");

        until("all is looked at", this::isDone);
        assertThat(held(FORMER)).isZero();
    }

    @Test
    void whatHasMoreCopiesThanItsRankStays() {
        fill(FORMER, 3, 20);
        fill(FORMER, 5, 7);

        former.become(membership.view(), 0, true);
        until("all is looked at", this::isDone);

        assertThat(held(FORMER)).isEqualTo(7);
    }

    /** It may stand for an older cell with more copies, which a read of the default counts on. */
    @Test
    void whatHasFewerCopiesThanItsRankStaysWhereADefaultCopyIsHeld() {
        int second = partitionOfRank(1);
        fill(second, 1, 20);

        former.become(membership.view(), 0, true);
        until("all is looked at", this::isDone);

        assertThat(held(second)).isEqualTo(20);
        assertThat(sync.given).isEmpty();
    }

    @Test
    void whatIsWrittenMeanwhileIsNotTakenWithTheRest() {
        fill(FORMER, 3, 20);
        sync.hold();
        former.become(membership.view(), 0, true);
        until("it is being given", () -> sync.underWay() > 0);
        fill(FORMER, 5, 1);

        sync.release();
        until("all is looked at", this::isDone);

        assertThat(held(FORMER)).isOne();
    }

    /** By the next epoch it may own the partition again. */
    @Test
    void nothingIsDroppedOnceAnotherEpochIsInForce() {
        fill(FORMER, 3, 20);
        sync.hold();
        former.become(membership.view(), 0, true);
        until("it is being given", () -> sync.underWay() > 0);

        membership.offer(Topologies.of(6, "n1", "n2", "n3"));
        sync.release();
        until("it was not dropped", () -> !former.report().failure().isEmpty());

        assertThat(held(FORMER)).isEqualTo(20);
    }

    /** What was deleted meanwhile may be forgotten: given to the owners it would come back. */
    @Test
    void nothingIsGivenLaterThanTheGracePeriodAfterTheChange() {
        fill(FORMER, 3, 20);
        nanos.addAndGet(GRACE.plusDays(1).toNanos());

        former.become(membership.view(), 0, true);
        until("all is looked at", this::isDone);

        assertThat(sync.given).isEmpty();
        assertThat(held(FORMER)).isEqualTo(20);
    }

    @Test
    void nothingIsDroppedWhileAChangeIsRunning() {
        fill(FORMER, 3, 20);
        List<Member> members = FIVE.members().stream()
                .map(member -> member.id().equals("n5") ? Topologies.member("n5", MemberState.LEAVING) : member)
                .toList();
        membership.offer(Topologies.of(6, members));

        former.become(membership.view(), 0, true);
        until("all is looked at", this::isDone);

        assertThat(held(FORMER)).isEqualTo(20);
    }
}
