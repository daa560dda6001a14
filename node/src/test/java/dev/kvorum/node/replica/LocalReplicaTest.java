package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.CellStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class LocalReplicaTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Cell CELL = Draft.ofValue(new byte[] {1}).stamp(KEY, new Version(1 << 16, 1), 3);

    private final Membership membership = new Membership("n1", Topologies.of(1, "n1"));
    private final Map<Key, Cell> cells = new HashMap<>();
    private final Map<Key, Cell> onDisk = new HashMap<>();
    private boolean syncFails;
    private final Set<Integer> rebuilding = new HashSet<>();
    private long forgotten;
    private long time = 1000;
    private boolean unanswered;
    private final HybridClock clock = new HybridClock(() -> time, 1, Duration.ofSeconds(10), 0);
    private Runnable committed = () -> {};
    private Runnable looked = () -> {};
    private final CellStore store = new CellStore() {
        @Override
        public Mono<Void> write(int partition, Key key, Cell cell) {
            return unanswered
                    ? Mono.never()
                    : Mono.fromRunnable(() -> {
                        cells.put(key, cell);
                        committed.run();
                    });
        }

        @Override
        public Mono<Void> synced() {
            return Mono.fromRunnable(() -> {
                if (syncFails) {
                    throw new IllegalStateException("as the test says");
                }
                onDisk.putAll(cells);
            });
        }

        @Override
        public Mono<Cell> read(int partition, Key key) {
            return Mono.justOrEmpty(cells.get(key)).doOnTerminate(looked);
        }
    };
    private final LocalReplica replica = replica(0);

    private LocalReplica replica(long firstFloor) {
        return new LocalReplica(
                membership,
                store,
                clock,
                new ReplicaMetrics(new SimpleMeterRegistry()),
                new Floors(firstFloor, () -> forgotten),
                rebuilding::contains);
    }

    @Test
    void broughtCellIsOnTheDiskBeforeItIsAcknowledgedAndFreshOneAsSoonAsTheSettingsSay() {
        assertThat(replica.write(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Stored("n1"));
        assertThat(onDisk).isEmpty();

        assertThat(replica.bring(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Stored("n1"));
        assertThat(onDisk).containsOnlyKeys(KEY);
    }

    @Test
    void broughtCellThatCantBeSyncedIsNotAcknowledged() {
        syncFails = true;

        assertThat(replica.bring(KEY, CELL, 1).block())
                .isInstanceOfSatisfying(
                        ReplicaFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.BROKEN));
    }

    @Test
    void partitionThatIsRebuiltTakesWritesAndRefusesReads() {
        rebuilding.add(membership.view().partitionOf(KEY));

        assertThat(replica.read(KEY, 1).block())
                .isInstanceOfSatisfying(
                        ReplicaFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.REFUSED));
        assertThat(replica.write(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Stored("n1"));

        rebuilding.clear();
        assertThat(replica.read(KEY, 1).block()).isEqualTo(new ReadReply.Found("n1", CELL));
    }

    @Test
    void freshWriteBelowWhatWasAcknowledgedIsSentBack() {
        Cell later = cell(500);
        assertThat(replica.write(KEY, later, 1).block()).isEqualTo(new WriteReply.Stored("n1"));

        assertThat(replica.write(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Below("n1", later.version()));
        assertThat(cells).containsEntry(KEY, later);

        assertThat(replica.write(KEY, cell(501), 1).block()).isEqualTo(new WriteReply.Stored("n1"));
    }

    /** A call may be made again where its answer was lost. */
    @Test
    void sameCellIsTakenAgain() {
        assertThat(replica.write(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Stored("n1"));

        assertThat(replica.write(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Stored("n1"));
    }

    @Test
    void cellThatOthersHaveAlreadyIsTakenWhateverItsVersion() {
        assertThat(replica.write(KEY, cell(500), 1).block()).isEqualTo(new WriteReply.Stored("n1"));

        assertThat(replica.bring(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Stored("n1"));
    }

    @Test
    void cellThatWasBroughtRaisesTheFloor() {
        Cell later = cell(500);
        assertThat(replica.bring(KEY, later, 1).block()).isEqualTo(new WriteReply.Stored("n1"));

        assertThat(replica.write(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Below("n1", later.version()));
    }

    /** The clock of a former life was a minute ahead. Of a key that it has written nothing else hides; the others are served. */
    @Test
    void afterALifeAheadOfItsTimeTheStoredCellSaysWhatWasAcknowledged() {
        LocalReplica next = replica(60_000L << 16);
        Cell ahead = cell(55_000);
        cells.put(KEY, ahead);
        Key other = Key.of("cart-8");
        Cell ofOther = Draft.ofValue(new byte[] {1}).stamp(other, cell(1000).version(), 3);

        assertThat(next.write(KEY, cell(1000), 1).block()).isEqualTo(new WriteReply.Below("n1", ahead.version()));
        assertThat(next.write(other, ofOther, 1).block()).isEqualTo(new WriteReply.Stored("n1"));
        assertThat(cells).containsEntry(KEY, ahead).containsEntry(other, ofOther);
    }

    /** Its caller has gone; the cell is stored all the same, and whoever finds it later counts on its floor. */
    @Test
    void cellOfACancelledCallRaisesTheFloor() {
        Cell later = cell(500);
        unanswered = true;
        replica.bring(KEY, later, 1).subscribe().dispose();
        unanswered = false;

        assertThat(replica.write(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Below("n1", later.version()));
    }

    @Test
    void cellOfACommitThatFailedRaisesTheFloor() {
        Cell later = cell(500);
        committed = () -> {
            throw new IllegalStateException("as the test says");
        };
        assertThat(replica.write(KEY, later, 1).block()).isInstanceOf(ReplicaFailure.class);
        committed = () -> {};

        assertThat(replica.write(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Below("n1", later.version()));
    }

    /** Else the floor of a former epoch would send the write back to be stamped anew by a plan that is over. */
    @Test
    void callOfAnotherEpochIsRefusedForThatFirst() {
        assertThat(replica.write(KEY, cell(500), 1).block()).isEqualTo(new WriteReply.Stored("n1"));
        membership.offer(Topologies.of(2, "n1"));

        assertThat(replica.write(KEY, CELL, 1).block())
                .isInstanceOfSatisfying(
                        ReplicaFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.STALE));
    }

    /** As after the clock of this node was wrong: nobody else would take it. */
    @Test
    void freshWriteThatIsTooFarAheadIsRefusedThoughThisNodeHasStampedIt() {
        Cell ahead = cell(12_000);
        assertThat(clock.observe(cell(10_900).version())).isTrue();
        time = 100;

        assertThat(replica.write(KEY, cell(10_800), 1).block())
                .isInstanceOfSatisfying(
                        ReplicaFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.REFUSED));
        assertThat(replica.write(KEY, ahead, 1).block()).isInstanceOf(ReplicaFailure.class);
    }

    @Test
    void versionThatARegisterAcknowledgedRaisesTheFloor() {
        replica.acknowledges(KEY, cell(500).version());

        assertThat(replica.write(KEY, CELL, 1).block()).isInstanceOf(WriteReply.Below.class);
    }

    /** The two are under way together: either may win. */
    @Test
    void writeThatIsNotCommittedYetRaisesNoFloor() {
        Cell later = cell(500);
        committed = () -> {
            committed = () -> {};
            assertThat(replica.write(KEY, CELL, 1).block()).isEqualTo(new WriteReply.Stored("n1"));
        };

        assertThat(replica.write(KEY, later, 1).block()).isEqualTo(new WriteReply.Stored("n1"));
    }

    @Test
    void nodeThatHasForgottenWhatItAcknowledgedTakesNoFreshWriteFromThatTimeUntilItIsRebuilt() {
        forgotten = 700;
        rebuilding.add(membership.view().partitionOf(KEY));

        assertThat(replica.write(KEY, cell(700), 1).block())
                .isInstanceOfSatisfying(
                        ReplicaFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.REFUSED));
        assertThat(replica.bring(KEY, cell(700), 1).block()).isEqualTo(new WriteReply.Stored("n1"));
        assertThat(replica.write(KEY, cell(701), 1).block()).isEqualTo(new WriteReply.Stored("n1"));

        rebuilding.clear();
        assertThat(replica.write(KEY, cell(699), 1).block())
                .isEqualTo(new WriteReply.Below("n1", cell(701).version()));
    }

    @Test
    void nodeThatIsRebuiltTakesFreshWritesOfTheTimeThatItHadForgotten() {
        forgotten = 700;

        assertThat(replica.write(KEY, cell(600), 1).block()).isEqualTo(new WriteReply.Stored("n1"));
    }

    private static Cell cell(long millis) {
        return Draft.ofValue(new byte[] {2}).stamp(KEY, new Version(millis << 16, 1), 3);
    }

    @Test
    void otherPartitionsAnswerMeanwhile() {
        rebuilding.add(8);

        assertThat(replica.read(KEY, 1).block()).isEqualTo(new ReadReply.Absent("n1"));
    }

    /** Who moves data looks at what is there when all go by the new epoch: what the old one acknowledges after that would be missed. */
    @Test
    void writeThatIsCommittedAfterANewerEpochIsNotAcknowledgedByTheOlder() {
        committed = () -> membership.offer(Topologies.of(2, "n1", "n2"));

        assertThat(replica.write(KEY, CELL, 1).block())
                .isInstanceOfSatisfying(
                        ReplicaFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.STALE));
        assertThat(replica.write(KEY, CELL, 2).block()).isEqualTo(new WriteReply.Stored("n1"));
    }

    /** It may have been dropped by then, as others own it. */
    @Test
    void readThatLookedWhileANewerEpochCameIntoForceIsNotAnsweredByTheOlder() {
        looked = () -> membership.offer(Topologies.of(2, "n1", "n2"));

        assertThat(replica.read(KEY, 1).block())
                .isInstanceOfSatisfying(
                        ReplicaFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.STALE));
        assertThat(replica.read(KEY, 2).block()).isEqualTo(new ReadReply.Absent("n1"));
    }
}
