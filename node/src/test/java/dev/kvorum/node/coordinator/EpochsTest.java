package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.MemberState;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;

/** Operations while the topology changes: refused as stale, and planned anew. */
class EpochsTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final Version VERSION = new Version(ManualCluster.NOW << 16, 42);
    private static final Cell CELL = apples().stamp(KEY, VERSION, 3);

    private final ManualCluster cluster = new ManualCluster();

    private static Draft apples() {
        return Draft.ofValue(new byte[] {7});
    }

    private CompletableFuture<WriteOutcome> write(Quorum quorum) {
        return write(AskedQuorums.said(quorum));
    }

    private CompletableFuture<WriteOutcome> write(AskedQuorum asked) {
        CompletableFuture<WriteOutcome> answer = new CompletableFuture<>();
        var _ = cluster.writes().write(KEY, apples(), asked).subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    private CompletableFuture<ReadOutcome> read(Quorum quorum) {
        return read(AskedQuorums.said(quorum));
    }

    private CompletableFuture<ReadOutcome> read(AskedQuorum asked) {
        CompletableFuture<ReadOutcome> answer = new CompletableFuture<>();
        var _ = cluster.reads().read(KEY, asked).subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    private void publish(long epoch, String... members) {
        cluster.membership.offer(Topologies.of(epoch, members));
    }

    @Test
    void writeRefusedAsStaleIsWrittenAnewWithTheSameCellToTheNewOwners() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        publish(2, "n1", "n2", "n4");

        cluster.n2.refuses(Reason.STALE);

        assertThat(cluster.n2.written()).containsExactly(CELL, CELL);
        assertThat(cluster.n2.epochs()).containsExactly(1L, 2L);
        assertThat(cluster.n4.written()).containsExactly(CELL);
        assertThat(cluster.n3.epochs()).containsExactly(1L);
        assertThat(answer).isNotDone();

        cluster.n2.stores();
        cluster.n4.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
        assertThat(cluster.inFlight.writes()).isOne();

        cluster.n1.stores();

        assertThat(cluster.inFlight.writes()).isZero();
        assertThat(cluster.hints.waiting()).isEmpty();
    }

    /** Else who joins would be owed nothing of what is there. */
    @Test
    void writeAsksForAsManyCopiesAsTheFactorThoughThereAreFewerOwners() {
        publish(2, "n1", "n2");
        var _ = write(AskedQuorums.unsaid());
        cluster.membership.offer(Topologies.of(
                3,
                List.of(
                        Topologies.member("n1"),
                        Topologies.member("n2"),
                        Topologies.member("n3", MemberState.JOINING))));

        cluster.n2.refuses(Reason.STALE);

        assertThat(cluster.n2.written()).containsExactly(CELL, CELL);
        assertThat(cluster.n3.written()).containsExactly(CELL);
    }

    /** Under the new topology the replica may not be an owner. */
    @Test
    void successUnderTheFormerTopologyDoesNotCount() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        cluster.n3.stores();
        publish(2, "n1", "n2", "n4");
        cluster.n2.refuses(Reason.STALE);

        cluster.n4.stores();

        assertThat(answer).isNotDone();
    }

    @Test
    void renewedWriteThatIsAnsweredHoldsNothingOfItsClientWhileReplicasAreSilent() {
        WeakReference<CompletableFuture<WriteOutcome>> client = new WeakReference<>(write(TWO_OF_THREE));
        publish(2, "n1", "n2", "n4");
        cluster.n2.refuses(Reason.STALE);
        cluster.n2.stores();
        cluster.n4.stores();

        System.gc();

        assertThat(client.get()).isNull();
        assertThat(cluster.inFlight.writes()).isOne(); // It waits for n1.
    }

    @Test
    void writeIsRenewedAsOftenAsTheTopologyIs() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        publish(2, "n1", "n2", "n3");
        cluster.n2.refuses(Reason.STALE);
        publish(3, "n1", "n2", "n4");
        cluster.n2.refuses(Reason.STALE);

        assertThat(cluster.n2.epochs()).containsExactly(1L, 2L, 3L);

        cluster.n2.stores();
        cluster.n4.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));

        cluster.n1.stores();

        assertThat(cluster.inFlight.writes()).isZero();
    }

    /** Members that have left and are gone tell of no newer epoch. */
    @Test
    void writeThatFailedTooOftenIsWrittenAnewToTheNewOwners() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        publish(2, "n1", "n4", "n2");
        cluster.n2.refuses(Reason.UNREACHABLE);

        assertThat(cluster.n4.epochs()).isEmpty();

        cluster.n3.refuses(Reason.UNREACHABLE);

        assertThat(cluster.n4.written()).containsExactly(CELL);
        assertThat(answer).isNotDone();

        cluster.n2.stores();
        cluster.n4.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
    }

    /** All of the former owners refuse a write, and then the new one. */
    private void renewWhenTheLastRefuses(Reason last) {
        var _ = write(new Quorum(1, 3));
        publish(2, "n1", "n2", "n4");
        cluster.n1.refuses(Reason.OVERLOADED);
        cluster.n3.refuses(Reason.OVERLOADED);
        cluster.n2.refuses(last);

        cluster.n4.fails(Reason.OVERLOADED);
    }

    /** The one that refused it as stale may have it: so a refusal of the second leaves a hint. */
    @Test
    void renewedWriteLeavesHintsWhereTheOneThatWasStaleMayHaveIt() {
        renewWhenTheLastRefuses(Reason.STALE);

        assertThat(cluster.hints.waiting()).containsOnlyKeys("n4");
    }

    /** Each replica has said that it did nothing. */
    @Test
    void renewedWriteLeavesNoHintWhereNobodyHasIt() {
        renewWhenTheLastRefuses(Reason.REFUSED);

        assertThat(cluster.n4.written()).containsExactly(CELL);
        assertThat(cluster.hints.waiting()).isEmpty();
    }

    @Test
    void renewedWriteLeavesHintsWhereOneThatHasNotRepliedMayHaveIt() {
        var _ = write(TWO_OF_THREE);
        publish(2, "n1", "n2", "n4");
        cluster.n1.refuses(Reason.OVERLOADED);
        cluster.n2.refuses(Reason.REFUSED);

        cluster.n4.fails(Reason.OVERLOADED);

        assertThat(cluster.hints.waiting()).containsOnlyKeys("n4");
    }

    /** They would be no less full, and all that is under way would be sent twice. */
    @Test
    void overloadIsToldNotTriedAnew() {
        CompletableFuture<WriteOutcome> answer = write(new Quorum(1, 3));
        CompletableFuture<ReadOutcome> read = read(new Quorum(1, 3));
        publish(2, "n1", "n2", "n4");

        List.of(cluster.n1, cluster.n2, cluster.n3).forEach(replica -> replica.refuses(Reason.OVERLOADED));

        assertThat(answer).isCompletedWithValueMatching(WriteOutcome.Rejected.class::isInstance);
        assertThat(read).isCompletedWithValueMatching(ReadOutcome.Rejected.class::isInstance);
        assertThat(cluster.n4.epochs()).isEmpty();
        assertThat(cluster.hints.waiting()).isEmpty();
    }

    /** Else one of one, of before, would be all of a write that others read two of three of. */
    @Test
    void whatWasTheDefaultIsRenewedAsTheDefault() {
        publish(2, "n1");
        CompletableFuture<WriteOutcome> write = write(AskedQuorums.unsaid());
        CompletableFuture<ReadOutcome> read = read(AskedQuorums.unsaid());
        publish(3, "n1", "n2", "n3");
        cluster.n1.refuses(Reason.STALE);

        cluster.n1.stores();
        cluster.n1.finds(CELL);

        assertThat(write).isNotDone();
        assertThat(read).isNotDone();

        cluster.n2.stores();
        cluster.n2.finds(CELL);

        assertThat(write).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
        assertThat(read).isCompletedWithValue(new ReadOutcome.Found(CELL, 2, TWO_OF_THREE));
    }

    @Test
    void whatWasSaidIsRenewedAsThat() {
        publish(2, "n1", "n2");
        CompletableFuture<WriteOutcome> write = write(new Quorum(2, 2));
        publish(3, "n1", "n2", "n3");
        cluster.n1.refuses(Reason.STALE);

        cluster.n1.stores();
        List.of(cluster.n2, cluster.n3).forEach(ManualReplica::stores);

        assertThat(write).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, new Quorum(2, 2)));
        assertThat(List.of(cluster.n1, cluster.n2, cluster.n3))
                .filteredOn(replica -> replica.epochs().contains(3L))
                .hasSize(2);
    }

    /** As long as a value takes to arrive, say. */
    @Test
    void whatTheDefaultIsIsSeenWhenARequestIsPlanned() {
        publish(2, "n1");
        AskedQuorum checked = new QuorumPolicy(
                        cluster.membership,
                        Settings.of(QuorumSettings.class)
                                .with("readAck", 0)
                                .with("writeAck", 0)
                                .with("deadline", ManualCluster.DEADLINE)
                                .get())
                .forWrite(QuorumPolicy.UNSAID, QuorumPolicy.UNSAID);
        publish(3, "n1", "n2", "n3");

        var _ = write(checked);

        assertThat(List.of(cluster.n1, cluster.n2, cluster.n3))
                .allSatisfy(replica -> assertThat(replica.written()).containsExactly(CELL));
    }

    @Test
    void defaultThatHasBecomeLessIsRenewedAsThat() {
        CompletableFuture<WriteOutcome> write = write(AskedQuorums.unsaid());
        publish(2, "n1", "n2");
        cluster.n1.refuses(Reason.STALE);

        cluster.n1.stores();
        cluster.n2.stores();

        assertThat(write).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, new Quorum(2, 2)));
    }

    @Test
    void membersThatRaiseTheEpochWithoutEndDoNotKeepARequestForEver() {
        CompletableFuture<WriteOutcome> write = write(new Quorum(3, 3));
        CompletableFuture<ReadOutcome> read = read(new Quorum(3, 3));
        for (int i = 0; i <= Attempts.RENEWALS_MAX; i++) {
            assertThat(write).isNotDone();
            assertThat(read).isNotDone();
            publish(2 + i, "n1", "n2", "n3");
            cluster.n2.refuses(Reason.STALE);
        }

        assertThat(write).isCompletedWithValueMatching(WriteOutcome.Unavailable.class::isInstance);
        assertThat(read).isCompletedWithValueMatching(ReadOutcome.Unavailable.class::isInstance);
    }

    @Test
    void withoutANewerTopologyARefusalAsStaleIsAFailureLikeOthers() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        cluster.n2.refuses(Reason.STALE);
        cluster.n1.stores();
        cluster.n3.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
        assertThat(cluster.n2.epochs()).containsExactly(1L);
        assertThat(cluster.hints.waiting()).containsOnlyKeys("n2");
    }

    @Test
    void quorumThatTheNewTopologyHasNoRoomForIsAFailure() {
        CompletableFuture<WriteOutcome> answer = write(new Quorum(3, 3));
        publish(2, "n1", "n2");

        cluster.n2.refuses(Reason.STALE);

        assertThat(answer).isCompletedWithValueMatching(outcome -> outcome instanceof WriteOutcome.Unavailable);
    }

    @Test
    void renewedWriteKeepsItsDeadline() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        cluster.timer.advanceTimeBy(Duration.ofSeconds(3));
        publish(2, "n1", "n2", "n3");
        cluster.n2.refuses(Reason.STALE);

        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE.minusSeconds(3));

        assertThat(answer).isCompletedWithValueMatching(outcome -> outcome instanceof WriteOutcome.TimedOut);
        assertThat(cluster.inFlight.writes()).isZero();
        assertThat(cluster.hints.waiting()).containsOnlyKeys("n1", "n2", "n3");
    }

    /** Those who have not answered the first time may have it: so a refusal of the second leaves a hint. */
    @Test
    void renewedWriteLeavesHintsWhereTheFirstMayHaveArrived() {
        var _ = write(TWO_OF_THREE);
        publish(2, "n1", "n2", "n4");
        cluster.n2.refuses(Reason.STALE);

        cluster.n4.fails(Reason.OVERLOADED);

        assertThat(cluster.hints.waiting()).containsOnlyKeys("n4");
    }

    @Test
    void clientThatGoesAwayDoesNotCancelARenewedWrite() {
        Disposable client = cluster.writes()
                .write(KEY, apples(), AskedQuorums.said(TWO_OF_THREE))
                .subscribe();
        publish(2, "n1", "n2", "n3");
        cluster.n2.refuses(Reason.STALE);

        client.dispose();
        cluster.n1.stores();
        cluster.n2.stores();

        assertThat(cluster.inFlight.writes()).isOne();

        cluster.n3.stores();

        assertThat(cluster.inFlight.writes()).isZero();
    }

    @Test
    void readRefusedAsStaleIsReadAnew() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.n3.findsNothing();
        publish(2, "n1", "n2", "n4");

        cluster.n2.refuses(Reason.STALE);

        assertThat(cluster.n4.epochs()).containsExactly(2L);
        assertThat(cluster.n1.isCancelled()).isTrue();
        assertThat(answer).isNotDone();

        cluster.n4.finds(CELL);
        cluster.n2.finds(CELL);

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(CELL, 2, TWO_OF_THREE));
    }

    @Test
    void readIsRenewedAsOftenAsTheTopologyIsAndKeepsItsDeadline() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.timer.advanceTimeBy(Duration.ofSeconds(3));
        publish(2, "n1", "n2", "n3");
        cluster.n2.refuses(Reason.STALE);
        publish(3, "n1", "n2", "n3");
        cluster.n2.refuses(Reason.STALE);

        assertThat(cluster.n2.epochs()).containsExactly(1L, 2L, 3L);

        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE.minusSeconds(3));

        assertThat(answer).isCompletedWithValue(new ReadOutcome.TimedOut(new Shortfall(TWO_OF_THREE, 0, List.of())));
    }

    @Test
    void withoutANewerTopologyAReadRefusedAsStaleIsAFailureLikeOthers() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        cluster.n2.refuses(Reason.STALE);
        cluster.n1.finds(CELL);
        cluster.n3.finds(CELL);

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(CELL, 2, TWO_OF_THREE));
        assertThat(cluster.n2.epochs()).containsExactly(1L);
    }

    /** Members that have left and are gone tell of no newer epoch. */
    @Test
    void readThatTooManyFailedIsReadAnewFromTheNewOwners() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        publish(2, "n1", "n2", "n4");
        cluster.n3.refuses(Reason.UNREACHABLE);

        assertThat(cluster.n4.epochs()).isEmpty();

        cluster.n2.refuses(Reason.UNREACHABLE);
        cluster.n2.finds(CELL);
        cluster.n4.finds(CELL);

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(CELL, 2, TWO_OF_THREE));
    }

    @ParameterizedTest
    @EnumSource(names = {"STALE", "UNREACHABLE"})
    void readThatCouldNotWriteBackToTheFormerOwnersIsReadAnew(Reason reason) {
        cluster.repair = ReadSettings.Repair.BLOCKING;
        Cell longer = Draft.ofValue(new byte[Room.COUNTED_MIN]).stamp(KEY, VERSION, 3);
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.n1.findsNothing();
        cluster.n2.finds(longer);
        publish(2, "n1", "n2", "n4");
        cluster.n1.refuses(reason);
        if (reason != Reason.STALE) {
            assertThat(cluster.n4.reads()).as("the third may take it").isZero();
            cluster.n3.refuses(reason);
        }

        assertThat(cluster.n4.reads()).isOne();
        assertThat(answer).isNotDone();

        cluster.n4.finds(longer);
        cluster.n3.refuses(Reason.BROKEN); // It is not told again.

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(longer, 2, TWO_OF_THREE));
        assertThat(cluster.room.taken).hasValue(0);
    }

    /** By the newer epoch n3 need not have it, so that nobody would have to be written to. */
    @Test
    void readWritesBackToThoseItAskedThoughOthersOwnTheKeyByNow() {
        cluster.repair = ReadSettings.Repair.BLOCKING;
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.n3.findsNothing();
        publish(2, "n1", "n2", "n4");

        cluster.n2.finds(CELL);

        assertThat(cluster.n3.written()).containsExactly(CELL);
        assertThat(answer).isNotDone();

        cluster.n3.refuses(Reason.STALE);

        assertThat(cluster.n4.reads()).as("read anew").isOne();
    }

    @Test
    void writeBackThatIsRefusedAsStaleAtOnceIsSentToNobodyElse() {
        cluster.repair = ReadSettings.Repair.BLOCKING;
        var _ = read(TWO_OF_THREE);
        publish(2, "n1", "n2", "n3");
        cluster.n1.refusesWrites(Reason.STALE);
        cluster.n1.findsNothing();
        cluster.n2.finds(CELL);

        assertThat(cluster.n3.epochs()).as("read, read anew, and written back").containsExactly(1L, 2L, 2L);
        assertThat(cluster.n3.written()).containsExactly(CELL);
    }

    @Test
    void readWhoseClientHasGoneIsNotReadAnewForAWriteBack() {
        cluster.repair = ReadSettings.Repair.BLOCKING;
        Disposable client =
                cluster.reads().read(KEY, AskedQuorums.said(TWO_OF_THREE)).subscribe();
        cluster.n1.findsNothing();
        cluster.n2.finds(CELL);
        publish(2, "n1", "n2", "n4");

        client.dispose();
        cluster.n1.refuses(Reason.STALE);
        cluster.n3.refuses(Reason.STALE);

        assertThat(cluster.n4.reads()).isZero();
    }

    @Test
    void clientThatGoesAwayCancelsARenewedRead() {
        Disposable client =
                cluster.reads().read(KEY, AskedQuorums.said(TWO_OF_THREE)).subscribe();
        publish(2, "n1", "n2", "n4");
        cluster.n2.refuses(Reason.STALE);

        client.dispose();

        assertThat(cluster.n4.isCancelled()).isTrue();
    }

    @Test
    void valuesOfTheFirstReadAreNotHeldWhileItIsReadAnew() {
        Cell longer = Draft.ofValue(new byte[Room.COUNTED_MIN]).stamp(KEY, VERSION, 3);
        var _ = read(TWO_OF_THREE);
        cluster.n3.finds(longer);
        long held = cluster.room.taken.get();
        publish(2, "n1", "n2", "n4");

        cluster.n2.refuses(Reason.STALE);

        assertThat(held).isPositive();
        assertThat(cluster.room.taken.get()).isZero();
    }
}
