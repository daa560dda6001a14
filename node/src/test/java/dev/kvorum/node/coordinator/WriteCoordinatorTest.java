package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.clock.ClockSkew;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WriteCoordinatorTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final Version VERSION = new Version(ManualCluster.NOW << 16, 42);

    private final ManualCluster cluster = new ManualCluster();

    private static Draft apples() {
        return Draft.ofValue("apples".getBytes(StandardCharsets.UTF_8));
    }

    private CompletableFuture<WriteOutcome> write(Quorum quorum) {
        CompletableFuture<WriteOutcome> answer = new CompletableFuture<>();
        var _ = cluster.writes()
                .write(KEY, apples(), AskedQuorums.said(quorum))
                .subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    @Test
    void everyReplicaIsSentTheSameCellAtOnce() {
        var _ = write(TWO_OF_THREE);

        Cell cell = apples().stamp(KEY, VERSION, 3);
        assertThat(cluster.n1.written()).containsExactly(cell);
        assertThat(cluster.n2.written()).containsExactly(cell);
        assertThat(cluster.n3.written()).containsExactly(cell);
    }

    @Test
    void nodeWhoseClockIsWrongWritesNothing() {
        ClockSkew skew = new ClockSkew(Instant.ofEpochSecond(100), Instant.ofEpochSecond(141));
        cluster.objection = Optional.of(skew);

        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Unstamped(skew));
        assertThat(cluster.n1.written()).isEmpty();
        assertThat(cluster.hints.waiting()).isEmpty();
        assertThat(cluster.inFlight.writes()).isZero();
    }

    @Test
    void nothingIsWrittenBeforeSomebodyWantsTheAnswer() {
        var unasked = cluster.writes().write(KEY, apples(), AskedQuorums.said(TWO_OF_THREE));

        assertThat(unasked).isNotNull();
        assertThat(cluster.n1.written()).isEmpty();
        assertThat(cluster.inFlight.writes()).isZero();
    }

    @Test
    void writeIsAnsweredAtTheAckthSuccess() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        cluster.n3.stores();

        assertThat(answer).isNotDone();

        cluster.n1.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
    }

    @Test
    void writeThatIsAnsweredHoldsNothingOfItsClientWhileAReplicaIsSilent() {
        WeakReference<CompletableFuture<WriteOutcome>> client = new WeakReference<>(write(TWO_OF_THREE));
        cluster.n1.stores();
        cluster.n3.stores();

        System.gc();

        assertThat(client.get()).isNull();
        assertThat(cluster.inFlight.writes()).isOne(); // It waits for n2.
    }

    @Test
    void oneFailureOfThreeDoesNotFailAWriteToTwo() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        cluster.n1.fails(Reason.BROKEN);
        cluster.n2.stores();

        assertThat(answer).isNotDone();

        cluster.n3.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
    }

    @Test
    void writeFailsAsSoonAsItsQuorumIsOutOfReach() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        cluster.n2.stores();
        cluster.n1.fails(Reason.UNREACHABLE);

        assertThat(answer).isNotDone();

        cluster.n3.fails(Reason.OVERLOADED);

        assertThat(answer)
                .isCompletedWithValue(new WriteOutcome.Unavailable(new Shortfall(
                        TWO_OF_THREE,
                        1,
                        List.of(cluster.n1.failure(Reason.UNREACHABLE), cluster.n3.failure(Reason.OVERLOADED)))));
    }

    @Test
    void writeToAllFailsAtTheFirstFailure() {
        CompletableFuture<WriteOutcome> answer = write(new Quorum(3, 3));

        cluster.n2.fails(Reason.TIMED_OUT);

        assertThat(answer)
                .isCompletedWithValue(new WriteOutcome.Unavailable(
                        new Shortfall(new Quorum(3, 3), 0, List.of(cluster.n2.failure(Reason.TIMED_OUT)))));
    }

    @Test
    void writeThatFailedForLackOfRoomAloneIsRejected() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        cluster.n1.fails(Reason.OVERLOADED);
        cluster.n2.fails(Reason.OVERLOADED);

        assertThat(answer)
                .isCompletedWithValue(new WriteOutcome.Rejected(new Shortfall(
                        TWO_OF_THREE,
                        0,
                        List.of(cluster.n1.failure(Reason.OVERLOADED), cluster.n2.failure(Reason.OVERLOADED)))));
    }

    @Test
    void writeThatIsOpenAtTheDeadlineTimesOut() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        cluster.n1.stores();
        cluster.n2.fails(Reason.BROKEN);

        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE.minusMillis(1));

        assertThat(answer).isNotDone();

        cluster.timer.advanceTimeBy(Duration.ofMillis(1));

        assertThat(answer)
                .isCompletedWithValue(new WriteOutcome.TimedOut(
                        new Shortfall(TWO_OF_THREE, 1, List.of(cluster.n2.failure(Reason.BROKEN)))));
        assertThat(cluster.inFlight.writes()).isZero();
    }

    @Test
    void decidedWriteIsNotCancelledOnTheSlowerReplica() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        cluster.n1.stores();
        cluster.n2.stores();

        assertThat(answer).isDone();
        assertThat(cluster.n3.isCancelled()).isFalse();
        assertThat(cluster.inFlight.writes()).isOne();

        cluster.n3.stores();

        assertThat(cluster.inFlight.writes()).isZero();
    }

    @Test
    void writeOutOfReachIsNotCancelledOnTheSlowerReplica() {
        CompletableFuture<WriteOutcome> answer = write(new Quorum(3, 3));

        cluster.n1.fails(Reason.BROKEN);

        assertThat(answer).isDone();
        assertThat(cluster.n2.isCancelled()).isFalse();
        assertThat(cluster.n3.isCancelled()).isFalse();
    }

    @Test
    void clientThatGoesAwayDoesNotCancelTheWrite() {
        var client = cluster.writes()
                .write(KEY, apples(), AskedQuorums.said(TWO_OF_THREE))
                .subscribe();
        cluster.n1.stores();

        client.dispose();

        assertThat(cluster.n2.isCancelled()).isFalse();
        assertThat(cluster.n3.isCancelled()).isFalse();
        assertThat(cluster.inFlight.writes()).isOne();

        cluster.n2.stores();
        cluster.n3.stores();

        assertThat(cluster.inFlight.writes()).isZero();
    }

    @Test
    void lateFailureDoesNotChangeTheAnswer() {
        CompletableFuture<WriteOutcome> answer = write(new Quorum(1, 3));
        cluster.n1.stores();

        cluster.n2.fails(Reason.BROKEN);
        cluster.n3.fails(Reason.BROKEN);
        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE);

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 1, new Quorum(1, 3)));
    }

    @Test
    void writeToOneAsksNobodyElse() {
        CompletableFuture<WriteOutcome> answer = write(new Quorum(1, 1));

        assertThat(List.of(cluster.n1, cluster.n2, cluster.n3))
                .filteredOn(replica -> !replica.written().isEmpty())
                .singleElement()
                .satisfies(replica -> {
                    replica.stores();
                    assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 1, new Quorum(1, 1)));
                });
    }

    @Test
    void laterWriteHasANewerVersion() {
        var _ = write(TWO_OF_THREE);
        var _ = write(TWO_OF_THREE);

        List<Cell> cells = cluster.n1.written();
        assertThat(cells).hasSize(2);
        assertThat(cells.getLast().isNewerThan(cells.getFirst())).isTrue();
    }

    @Test
    void replicaThatReadsAvoidIsSentEveryWrite() {
        for (int i = 0; i < 5; i++) {
            var _ = cluster.observed(Topologies.member("n3")).read(KEY, 1).subscribe();
            cluster.n3.fails(Reason.UNREACHABLE);
            cluster.n3.again();
        }
        assertThat(cluster.observed(Topologies.member("n3")).health().isTrusted(0))
                .isFalse();

        var _ = write(TWO_OF_THREE);

        assertThat(cluster.n3.written()).hasSize(1);
    }

    @Test
    void repliesAfterTheDeadlineEndNothingASecondTime() {
        var _ = write(TWO_OF_THREE);
        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE);

        cluster.n1.stores();
        cluster.n2.stores();
        cluster.n3.stores();

        assertThat(cluster.inFlight.writes()).isZero();
    }

    @Test
    void writeThatAllReplicasHaveAnsweredHasNothingMorePending() {
        var _ = write(TWO_OF_THREE);
        cluster.n1.stores();
        cluster.n2.stores();
        cluster.n3.stores();

        assertThat(cluster.deadlines.sweep()).isEqualTo(Deadlines.NEVER);
    }

    private Cell written() {
        return cluster.n1.written().getFirst();
    }

    @Test
    void writeThatAllReplicasTakeLeavesNoHint() {
        var _ = write(TWO_OF_THREE);
        cluster.n1.stores();
        cluster.n2.stores();
        cluster.n3.stores();

        assertThat(cluster.hints.waiting()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void hintIsKeptForAReplicaThatDoesNotTakeTheWrite(Reason reason) {
        var _ = write(TWO_OF_THREE);

        cluster.n1.stores();
        cluster.n3.fails(reason);

        assertThat(cluster.hints.owed("n3")).containsExactly(written());

        cluster.n2.stores();

        assertThat(cluster.hints.waiting()).containsOnlyKeys("n3");
    }

    @Test
    void hintIsKeptForAReplicaThatFailsAfterTheAnswer() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        cluster.n1.stores();
        cluster.n2.stores();
        assertThat(answer).isDone();

        cluster.n3.fails(Reason.TIMED_OUT);

        assertThat(cluster.hints.owed("n3")).containsExactly(written());
    }

    @Test
    void hintIsKeptForAReplicaThatHasNotRepliedByTheDeadline() {
        var _ = write(TWO_OF_THREE);
        cluster.n1.stores();
        cluster.n2.stores();

        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE.minusMillis(1));

        assertThat(cluster.hints.waiting()).isEmpty();

        cluster.timer.advanceTimeBy(Duration.ofMillis(1));

        assertThat(cluster.hints.owed("n3")).containsExactly(written());
        assertThat(cluster.hints.waiting()).containsOnlyKeys("n3");
    }

    @Test
    void hintsAreKeptForAWriteWhoseQuorumWasMissedToo() {
        var _ = write(TWO_OF_THREE);

        cluster.n1.stores();
        cluster.n2.fails(Reason.UNREACHABLE);
        cluster.n3.fails(Reason.UNREACHABLE);

        assertThat(cluster.hints.waiting()).containsOnlyKeys("n2", "n3");
    }

    @Test
    void hintsAreKeptForTheReplicasOfAClientThatWentAway() {
        var client = cluster.writes()
                .write(KEY, apples(), AskedQuorums.said(TWO_OF_THREE))
                .subscribe();
        client.dispose();

        cluster.n1.stores();
        cluster.n3.fails(Reason.BROKEN);

        assertThat(cluster.hints.waiting()).containsOnlyKeys("n3");
    }

    /** Bringing it to them later would make a write that nobody has, and more load where there is too much of it. */
    @Test
    void writeThatEveryReplicaRefusedForLackOfRoomLeavesNoHint() {
        var _ = write(TWO_OF_THREE);

        cluster.n1.fails(Reason.OVERLOADED);
        cluster.n2.fails(Reason.OVERLOADED);
        cluster.n3.fails(Reason.REFUSED);

        assertThat(cluster.hints.waiting()).isEmpty();
    }

    @Test
    void replicasThatRefusedAreOwedTheWriteOnceAnotherHasTakenIt() {
        var _ = write(TWO_OF_THREE);
        cluster.n1.fails(Reason.OVERLOADED);
        cluster.n2.fails(Reason.OVERLOADED);
        assertThat(cluster.hints.waiting()).isEmpty();

        cluster.n3.stores();

        assertThat(cluster.hints.waiting()).containsOnlyKeys("n1", "n2");
        assertThat(cluster.hints.owed("n1")).hasSize(1);
    }

    @Test
    void replicasThatRefusedAreOwedAWriteThatASilentOneMayHave() {
        var _ = write(TWO_OF_THREE);
        cluster.n1.fails(Reason.OVERLOADED);
        cluster.n2.fails(Reason.OVERLOADED);

        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE);

        assertThat(cluster.hints.waiting()).containsOnlyKeys("n1", "n2", "n3");
    }

    @Test
    void hintThatCannotBeStoredChangesNothingForTheClient() {
        cluster.hints.fails = true;
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        cluster.n3.fails(Reason.BROKEN);
        cluster.n1.stores();
        cluster.n2.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
        assertThat(cluster.inFlight.writes()).isZero();
    }

    /** So many wait for the silent one already; the others of a quorum suffice. */
    @Test
    void aSilentReplicaForWhichManyWaitIsSparedAWriteAndOwedItWhereOthersSuffice() {
        cluster.n1.stores();
        cluster.n2.stores();
        fallSilent(TWO_OF_THREE);
        int sent = cluster.n3.written().size();
        int owed = cluster.hints.owed("n3").size();

        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        assertThat(answer).isCompletedWithValueMatching(outcome -> outcome instanceof WriteOutcome.Written);
        assertThat(cluster.n3.written()).hasSize(sent);
        assertThat(cluster.hints.owed("n3")).hasSize(owed + 1);
    }

    @Test
    void aSilentReplicaWithoutWhichTheQuorumIsOutOfReachIsSentAllTheSame() {
        cluster.n1.stores();
        cluster.n2.stores();
        fallSilent(TWO_OF_THREE);
        int sent = cluster.n3.written().size();

        CompletableFuture<WriteOutcome> answer = write(new Quorum(3, 3));

        assertThat(cluster.n3.written()).hasSize(sent + 1);
        assertThat(answer).isNotDone();
    }

    /** Either may be the one that answers again. */
    @Test
    void ofTwoSilentReplicasNeitherIsSparedWhereOneIsNeeded() {
        cluster.n1.stores();
        fallSilent(TWO_OF_THREE);
        int sentToN2 = cluster.n2.written().size();
        int sentToN3 = cluster.n3.written().size();

        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        assertThat(cluster.n2.written()).hasSize(sentToN2 + 1);
        assertThat(cluster.n3.written()).hasSize(sentToN3 + 1);
        assertThat(answer).isNotDone();
    }

    @Test
    void twoSilentReplicasAreSparedWhereOneIsEnough() {
        cluster.n1.stores();
        fallSilent(new Quorum(1, 3));
        int sent = cluster.n2.written().size() + cluster.n3.written().size();

        CompletableFuture<WriteOutcome> answer = write(new Quorum(1, 3));

        assertThat(answer).isDone();
        assertThat(cluster.n2.written().size() + cluster.n3.written().size()).isEqualTo(sent);
    }

    /** What waits for its disk is bounded there, and a hint would wait for the same disk. */
    @Test
    void theReplicaOfTheNodeItselfIsNeverSpared() {
        cluster.n2.stores();
        cluster.n3.stores();
        fallSilent(TWO_OF_THREE);
        int sent = cluster.n1.written().size();

        var _ = write(TWO_OF_THREE);

        assertThat(cluster.n1.written()).hasSize(sent + 1);
    }

    @Test
    void aSilentReplicaIsSentAWriteThatFindsOutWhetherItAnswersAgain() {
        cluster.n1.stores();
        cluster.n2.stores();
        fallSilent(TWO_OF_THREE);
        cluster.timer.advanceTimeBy(Duration.ofSeconds(1)); // More than the first back-off of its breaker.
        int sent = cluster.n3.written().size();

        var _ = write(TWO_OF_THREE);
        var _ = write(TWO_OF_THREE);

        assertThat(cluster.n3.written()).hasSize(sent + 1);

        cluster.n3.stores();
        var _ = write(TWO_OF_THREE);

        assertThat(cluster.n3.written()).hasSize(sent + 2);
    }

    /** A hundred writes wait for those that have not answered, and then some that notice. */
    private void fallSilent(Quorum quorum) {
        for (int i = 0; i < 100; i++) {
            var _ = write(quorum);
        }
        for (int i = 0; i < 11; i++) {
            cluster.timer.advanceTimeBy(Duration.ofMillis(25));
            var _ = write(quorum);
        }
    }
}
