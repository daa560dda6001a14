package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** Reads that ask no more replicas than they need until they need more. The owners of the key are n1, which is this node, {@code second} and {@code third}. */
class HedgedReadTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final Duration LONGEST = ManualCluster.DELAY_MAX; // Nothing is known of how long a replica takes.
    private static final Cell CELL =
            Draft.ofValue(new byte[] {7}).stamp(KEY, new Version((ManualCluster.NOW << 16) + 1, 7), 3);
    private static final Cell LARGE =
            Draft.ofValue(new byte[Room.COUNTED_MIN]).stamp(KEY, new Version((ManualCluster.NOW << 16) + 2, 7), 3);
    private static final ReadOutcome FOUND = new ReadOutcome.Found(CELL, 2, TWO_OF_THREE);

    private final ManualCluster cluster = new ManualCluster();
    private ManualReplica second = cluster.n2;
    private ManualReplica third = cluster.n3;

    @BeforeEach
    void learnTheOrder() {
        cluster.fanOut = FanOut.HEDGED;
        if (cluster.plans()
                .forRead(KEY, AskedQuorums.said(TWO_OF_THREE), Breadth.NEEDED, 0)
                .replicas()
                .get(1)
                .member()
                .equals("n3")) {
            second = cluster.n3;
            third = cluster.n2;
        }
    }

    private CompletableFuture<ReadOutcome> read(Quorum quorum) {
        CompletableFuture<ReadOutcome> answer = new CompletableFuture<>();
        var _ = cluster.reads()
                .read(KEY, AskedQuorums.said(quorum))
                .subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    private ObservedReplica observed(ManualReplica replica) {
        return cluster.observed(Topologies.member(replica.member()));
    }

    private void distrust(ManualReplica replica) {
        for (int i = 0; i < 5; i++) {
            var _ = observed(replica).read(KEY, 1).subscribe();
            replica.fails(Reason.UNREACHABLE);
            replica.again();
        }
        assertThat(observed(replica).health().isTrusted(cluster.deadlines.now()))
                .isFalse();
    }

    /** Lets a replica answer reads in that time, until its 99th percentile is about that. */
    private void answersIn(ManualReplica replica, Duration time) {
        for (int i = 0; i < 100; i++) {
            var _ = observed(replica).read(KEY, 1).subscribe();
            cluster.timer.advanceTimeBy(time);
            replica.findsNothing();
            replica.again();
        }
    }

    @Test
    void onlyTheReplicasThatMustAnswerAreAskedAtOnce() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        assertThat(List.of(cluster.n1.reads(), second.reads(), third.reads())).containsExactly(1, 1, 0);

        cluster.n1.finds(CELL);
        second.finds(CELL);

        assertThat(answer).isCompletedWithValue(FOUND);
        assertThat(third.reads()).isZero();
        assertThat(cluster.counted("kvorum.read.unasked")).isOne();
    }

    @Test
    void replicaThatIsLateHasTheNextAskedBesideIt() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.n1.finds(CELL);

        cluster.timer.advanceTimeBy(LONGEST.minusMillis(1));

        assertThat(third.reads()).isZero();

        cluster.timer.advanceTimeBy(Duration.ofMillis(1));

        assertThat(third.reads()).isOne();
        assertThat(second.isCancelled()).isFalse();

        third.finds(CELL);

        assertThat(answer).isCompletedWithValue(FOUND);
        assertThat(second.isCancelled()).isTrue();
        assertThat(cluster.counted("kvorum.read.hedges.sent")).isOne();
        assertThat(cluster.counted("kvorum.read.hedges.won")).isOne();
        assertThat(cluster.counted("kvorum.read.hedges.wasted")).isZero();
    }

    @Test
    void lateReplicaThatAnswersBeforeItsHedgeStillCountsAndTheHedgeIsWasted() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.n1.finds(CELL);
        cluster.timer.advanceTimeBy(LONGEST);

        second.finds(CELL);

        assertThat(answer).isCompletedWithValue(FOUND);
        assertThat(third.isCancelled()).isTrue();
        assertThat(cluster.counted("kvorum.read.hedges.wasted")).isOne();
        assertThat(cluster.counted("kvorum.read.hedges.won")).isZero();
    }

    @Test
    void replicaIsWaitedForAsLongAsItUsuallyTakes() {
        answersIn(second, Duration.ofMillis(5));
        var _ = read(TWO_OF_THREE);
        cluster.n1.finds(CELL);

        cluster.timer.advanceTimeBy(Duration.ofMillis(4));

        assertThat(third.reads() + second.reads()).isOne();

        cluster.timer.advanceTimeBy(
                Duration.ofMillis(16)); // Less than for one of which nothing is known, where both are asked.

        assertThat(third.reads() + second.reads()).isEqualTo(2);
    }

    @Test
    void replicaThatUsuallyAnswersAtOnceIsWaitedForTheShortestDelay() {
        answersIn(cluster.n1, Duration.ZERO);
        var _ = read(new Quorum(1, 3));

        assertThat(second.reads()).isZero();

        cluster.timer.advanceTimeBy(ManualCluster.DELAY_MIN);

        assertThat(second.reads()).isOne();
    }

    @Test
    void replicaThatFailsHasTheNextAskedAtOnce() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        second.fails(Reason.UNREACHABLE);

        assertThat(third.reads()).isOne();
        assertThat(cluster.counted("kvorum.read.hedges.sent")).isZero();
        assertThat(cluster.counted("kvorum.read.replaced")).isOne();

        cluster.n1.finds(CELL);
        third.finds(CELL);

        assertThat(answer).isCompletedWithValue(FOUND);
    }

    @Test
    void failureAfterItsReplicaWasHedgedAsksNobodyElse() {
        var _ = read(new Quorum(1, 3));
        cluster.timer.advanceTimeBy(LONGEST);

        cluster.n1.fails(Reason.TIMED_OUT);

        assertThat(second.reads()).isOne();
        assertThat(third.reads()).isZero();
    }

    @Test
    void hedgeThatIsLateItselfIsHedgedToo() {
        var _ = read(new Quorum(1, 3));

        cluster.timer.advanceTimeBy(LONGEST);
        cluster.timer.advanceTimeBy(LONGEST);

        assertThat(List.of(cluster.n1.reads(), second.reads(), third.reads())).containsExactly(1, 1, 1);
        assertThat(cluster.counted("kvorum.read.hedges.sent")).isEqualTo(2);
    }

    @Test
    void quorumOutOfReachIsFoundWhenAllThatWereNeededHaveFailed() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        cluster.n1.fails(Reason.UNREACHABLE);

        assertThat(answer).isNotDone();

        third.fails(Reason.BROKEN);

        assertThat(answer)
                .isCompletedWithValue(new ReadOutcome.Unavailable(new Shortfall(
                        TWO_OF_THREE,
                        0,
                        List.of(cluster.n1.failure(Reason.UNREACHABLE), third.failure(Reason.BROKEN)))));
        assertThat(second.isCancelled()).isTrue();
    }

    @Test
    void readThatNobodyAnswersTimesOutAtTheDeadlineAndNotBefore() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE.minusMillis(1));

        assertThat(answer).isNotDone();

        cluster.timer.advanceTimeBy(Duration.ofMillis(1));

        assertThat(answer).isCompletedWithValue(new ReadOutcome.TimedOut(new Shortfall(TWO_OF_THREE, 0, List.of())));
        assertThat(List.of(cluster.n1, second, third)).allMatch(ManualReplica::isCancelled);
    }

    @Test
    void spentBudgetPutsHedgesOffUntilReadsHaveEarnedOne() {
        cluster.budgetPercent = 10;
        for (int i = 0; i < HedgeBudget.SAVED_MAX; i++) {
            assertThat(cluster.spendHedge()).isTrue();
        }
        var _ = read(new Quorum(1, 3));

        cluster.timer.advanceTimeBy(LONGEST);

        assertThat(second.reads()).isZero();
        assertThat(cluster.counted("kvorum.read.hedges.refused")).isOne();

        for (int i = 0; i < 9; i++) {
            read(new Quorum(1, 3)).cancel(true);
        }
        cluster.timer.advanceTimeBy(LONGEST);

        assertThat(cluster.counted("kvorum.read.hedges.sent")).isOne();
        assertThat(second.reads()).isOne();
    }

    @Test
    void withoutABudgetLateReplicasAreWaitedForAndFailedOnesAreReplaced() {
        cluster.budgetPercent = 0;
        var _ = read(TWO_OF_THREE);

        cluster.timer.advanceTimeBy(LONGEST.multipliedBy(4));

        assertThat(third.reads()).isZero();

        second.fails(Reason.TIMED_OUT);

        assertThat(third.reads()).isOne();
    }

    @Test
    void avoidedReplicaIsPassedOverUnderBothModes() {
        distrust(second);

        var _ = read(TWO_OF_THREE);

        assertThat(List.of(cluster.n1.reads(), second.reads(), third.reads())).containsExactly(1, 0, 1);

        cluster.fanOut = FanOut.ALL;
        ReplicaPlan plan =
                cluster.plans().forRead(KEY, AskedQuorums.said(TWO_OF_THREE), Breadth.ALL, cluster.deadlines.now());
        assertThat(plan.first()).isEqualTo(2);
        assertThat(plan.replicas()).last().isSameAs(observed(second));
    }

    @Test
    void avoidedReplicasAreAskedAllTheSameWhereTooFewOthersAreLeft() {
        distrust(second);
        distrust(third);

        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.n1.finds(CELL);
        second.finds(CELL);
        third.finds(CELL);

        assertThat(answer).isCompletedWithValue(FOUND);
    }

    @Test
    void avoidedReplicaIsAskedAtOnceWhenAnotherFails() {
        distrust(second);
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        third.fails(Reason.BROKEN);

        assertThat(second.reads()).isOne();

        cluster.n1.finds(CELL);
        second.finds(CELL);

        assertThat(answer).isCompletedWithValue(FOUND);
    }

    @Test
    void avoidedReplicaIsProbedBesideThoseThatTheReadNeeds() {
        distrust(second);
        cluster.timer.advanceTimeBy(Duration.ofMillis(100));

        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        assertThat(List.of(cluster.n1.reads(), second.reads(), third.reads())).containsExactly(1, 1, 1);
        var _ = read(TWO_OF_THREE);
        assertThat(second.reads()).as("one probe at a time").isOne();

        cluster.n1.finds(CELL);
        third.finds(CELL);

        assertThat(answer).isCompletedWithValue(FOUND);
        assertThat(second.isCancelled()).as("a probe is seen to its end").isFalse();

        second.finds(CELL);

        assertThat(observed(second).health().isTrusted(cluster.deadlines.now())).isTrue();
    }

    @Test
    void replicaThatIsAskedLaterHasNoMoreTimeThanIsLeft() {
        var _ = read(TWO_OF_THREE);
        cluster.n1.finds(CELL);
        cluster.timer.advanceTimeBy(Duration.ofMillis(15));
        second.fails(Reason.UNREACHABLE);

        Duration longest = ManualCluster.DEADLINE.plusNanos(ReadCalls.GRACE);
        assertThat(second.waits()).containsExactly(longest);
        assertThat(third.waits()).containsExactly(longest.minusMillis(15));
    }

    @Test
    void readDoesNotCountOnAProbe() {
        distrust(second);
        cluster.timer.advanceTimeBy(Duration.ofMillis(100));
        var _ = read(new Quorum(1, 3));
        assertThat(List.of(second.reads(), third.reads())).containsExactly(1, 0);

        cluster.n1.fails(Reason.UNREACHABLE);

        assertThat(third.reads()).isOne();
    }

    @Test
    void callThatIsGivenUpJustBeforeItBeginsIsCancelled() {
        Disposable.Swap client = Disposables.swap();
        second.whenAsked(client::dispose);

        Mono<ReadOutcome> answer = cluster.reads().read(KEY, AskedQuorums.said(TWO_OF_THREE));
        answer.subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                client.update(subscription::cancel);
                subscription.request(1);
            }
        });

        assertThat(cluster.n1.isCancelled()).isTrue();
        assertThat(second.isCancelled()).isTrue();
        assertThat(third.reads()).isZero();
    }

    @Test
    void probeThatFailsHasNobodyElseAsked() {
        distrust(second);
        cluster.timer.advanceTimeBy(Duration.ofMillis(100));
        var _ = read(new Quorum(1, 3));
        assertThat(second.reads()).isOne();

        second.fails(Reason.UNREACHABLE);
        cluster.timer.advanceTimeBy(LONGEST.minusMillis(1));

        assertThat(third.reads()).isZero();
    }

    @Test
    void replicaThatComesToBeAvoidedWhileAReadWaitsForItIsReplacedWithoutBudget() {
        cluster.budgetPercent = 0;
        var _ = read(TWO_OF_THREE);
        cluster.n1.finds(CELL);

        cluster.timer.advanceTimeBy(Duration.ofMillis(400)); // More than the silence after which a replica is avoided.

        assertThat(third.reads()).isOne();
        assertThat(cluster.counted("kvorum.read.replaced")).isOne();
        assertThat(cluster.counted("kvorum.read.hedges.sent")).isZero();
    }

    @Test
    void replyThatComesWhileAnotherDecidesIsNotUsed() {
        cluster.fanOut = FanOut.ALL;
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.n1.finds(CELL);
        cluster.room.whenTaken = third::findsNothing;

        second.finds(LARGE);

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(LARGE, 2, TWO_OF_THREE));
        assertThat(third.isCancelled()).isFalse();
        assertThat(cluster.counted("kvorum.read.unused")).isOne();
    }

    @Test
    void answerThatIsThereAtOnceMakesTheOthersUnnecessaryUnderEveryMode() {
        cluster.n1.finds(CELL);

        for (FanOut mode : List.of(FanOut.ALL, FanOut.HEDGED)) {
            ManualCluster again = new ManualCluster();
            again.fanOut = mode;
            again.n1.finds(CELL);

            assertThat(again.reads()
                            .read(KEY, AskedQuorums.said(new Quorum(1, 3)))
                            .blockOptional())
                    .hasValue(new ReadOutcome.Found(CELL, 1, new Quorum(1, 3)));
            assertThat(again.n2.reads() + again.n3.reads()).isZero();
        }
    }

    @Test
    void whetherReadsAskNoMoreThanMustAnswerIsMeasured() {
        var _ = cluster.reads();
        assertThat(cluster.meters.get("kvorum.read.hedging").gauge().value()).isOne();

        ManualCluster all = new ManualCluster();
        all.fanOut = FanOut.ALL;
        var _ = all.reads();
        assertThat(all.meters.get("kvorum.read.hedging").gauge().value()).isZero();
    }

    @Test
    void replacementAfterAHedgeIsNoHedge() {
        var _ = read(new Quorum(1, 3));
        cluster.timer.advanceTimeBy(LONGEST);
        assertThat(second.reads()).isOne();

        second.fails(Reason.UNREACHABLE);

        assertThat(third.reads()).isOne();
        assertThat(cluster.counted("kvorum.read.hedges.sent")).isOne();
        assertThat(cluster.counted("kvorum.read.replaced")).isOne();
    }

    @Test
    void readThatIsGivenUpWhileItAsksAsksNobodyElse() {
        cluster.fanOut = FanOut.ALL;
        Disposable.Swap client = Disposables.swap();
        second.whenAsked(client::dispose);

        cluster.reads().read(KEY, AskedQuorums.said(TWO_OF_THREE)).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                client.update(subscription::cancel);
                subscription.request(1);
            }
        });

        assertThat(cluster.n1.isCancelled()).isTrue();
        assertThat(second.isCancelled()).isTrue();
        assertThat(third.reads()).isZero();
        assertThat(cluster.deadlines.sweep()).isEqualTo(Deadlines.NEVER);
    }

    @Test
    void hedgeThatIsRefusedIsAskedForAgainOnlyWhenTheReplicaIsOverdueAgain() {
        cluster.budgetPercent = 0;
        var _ = read(new Quorum(1, 3));
        cluster.timer.advanceTimeBy(LONGEST);
        assertThat(cluster.counted("kvorum.read.hedges.refused")).isOne();

        cluster.timer.advanceTimeBy(LONGEST.minusMillis(2));
        assertThat(cluster.counted("kvorum.read.hedges.refused")).isOne();

        cluster.timer.advanceTimeBy(Duration.ofMillis(3));
        assertThat(cluster.counted("kvorum.read.hedges.refused")).isEqualTo(2);
    }

    @Test
    void readDoesNotCountOnAProbeThatItHasYetToAsk() {
        distrust(second);
        cluster.timer.advanceTimeBy(Duration.ofMillis(100));
        cluster.n1.fails(Reason.UNREACHABLE); // As soon as it is asked.

        var _ = read(new Quorum(1, 3));

        assertThat(List.of(second.reads(), third.reads())).containsExactly(1, 1);
    }

    /** Also where nobody cancels, as all have replied. */
    @Test
    void repliesThatAreCompleteHaveNothingMorePending() {
        ReplicaPlan plan =
                cluster.plans().forRead(KEY, AskedQuorums.said(TWO_OF_THREE), Breadth.ALL, cluster.deadlines.now());
        ReadReplies replies = new ReadReplies(
                KEY,
                plan,
                cluster.deadlines.now() + ManualCluster.DEADLINE.toNanos(),
                cluster.deadlines,
                cluster.reads().policy(),
                new ReadMetrics(cluster.meters, cluster.fanOut));
        var _ = replies.subscribe();

        cluster.n1.finds(CELL);
        second.finds(CELL);
        third.findsNothing();

        assertThat(cluster.deadlines.sweep()).isEqualTo(Deadlines.NEVER);
    }

    @Test
    void decidedReadHasNothingMorePending() {
        var _ = read(TWO_OF_THREE);
        cluster.n1.finds(CELL);
        second.finds(CELL);

        assertThat(cluster.deadlines.sweep()).isEqualTo(Deadlines.NEVER);
    }
}
