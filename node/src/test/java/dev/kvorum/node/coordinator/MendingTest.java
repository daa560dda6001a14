package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** Reads that meet replicas which are behind. */
class MendingTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final Quorum ALL = new Quorum(3, 3);
    private static final Cell OLD = value(1, 3);
    private static final Cell NEW = value(2, 3);

    private final ManualCluster cluster = new ManualCluster();

    private static Cell value(int counter, int copies) {
        return Draft.ofValue(new byte[] {(byte) counter}).stamp(KEY, version(counter), copies);
    }

    private static Version version(int counter) {
        return new Version((ManualCluster.NOW << 16) + counter, 7);
    }

    private CompletableFuture<ReadOutcome> read(Quorum quorum) {
        CompletableFuture<ReadOutcome> answer = new CompletableFuture<>();
        var _ = cluster.reads()
                .read(KEY, AskedQuorums.said(quorum))
                .subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    private List<ManualReplica> replicas() {
        return List.of(cluster.n1, cluster.n2, cluster.n3);
    }

    private void assertNothingWritten() {
        assertThat(replicas())
                .allSatisfy(replica -> assertThat(replica.written()).isEmpty());
    }

    private ManualReplica firstOwner() {
        return replicas().stream()
                .filter(replica -> isFirstOwner(replica.member()))
                .findFirst()
                .orElseThrow();
    }

    private boolean isFirstOwner(String member) {
        return cluster.membership.view().owners(KEY, 1).getFirst().id().equals(member);
    }

    @Nested
    class InTheBackground {
        @Test
        void replicaThatIsBehindIsSentTheNewestCellOnceTheReadIsAnswered() {
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
            var atAnswer = answer.thenApply(outcome -> List.copyOf(cluster.n1.written()));

            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);

            assertThat(atAnswer).isCompletedWithValue(List.of());
            assertThat(cluster.n1.written()).containsExactly(NEW);
            assertThat(cluster.n2.written()).isEmpty();
            assertThat(cluster.n3.written()).as("it was not heard of").isEmpty();
            assertThat(cluster.counted("kvorum.read.repairs.sent")).isOne();
        }

        @Test
        void replicaThatHasNothingIsBehind() {
            var _ = read(TWO_OF_THREE);

            cluster.n2.findsNothing();
            cluster.n3.finds(NEW);

            assertThat(cluster.n2.written()).containsExactly(NEW);
        }

        @Test
        void deletionIsSentToWhoHasTheValueAndToWhoHasNothing() {
            Cell tombstone = Draft.tombstone().stamp(KEY, version(3), 3);
            var _ = read(ALL);

            cluster.n1.finds(NEW);
            cluster.n2.finds(tombstone);
            cluster.n3.findsNothing();

            assertThat(cluster.n1.written()).containsExactly(tombstone);
            assertThat(cluster.n3.written()).containsExactly(tombstone);
        }

        @Test
        void replicasThatAgreeAreSentNothing() {
            var _ = read(ALL);

            cluster.n1.finds(NEW);
            cluster.n2.finds(NEW);
            cluster.n3.finds(NEW);

            assertNothingWritten();
        }

        @Test
        void keyThatNobodyHasIsNothingToMend() {
            var _ = read(ALL);

            replicas().forEach(ManualReplica::findsNothing);

            assertNothingWritten();
        }

        @Test
        void replicaThatFailedIsNotSentAnything() {
            var _ = read(TWO_OF_THREE);

            cluster.n1.fails(Reason.BROKEN);
            cluster.n2.finds(OLD);
            cluster.n3.finds(NEW);

            assertThat(cluster.n1.written()).isEmpty();
            assertThat(cluster.n2.written()).containsExactly(NEW);
        }

        @Test
        void readThatMissedItsQuorumMendsNothing() {
            CompletableFuture<ReadOutcome> answer = read(ALL);

            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);
            cluster.n3.fails(Reason.BROKEN);

            assertThat(answer).isCompletedWithValueMatching(ReadOutcome.Unavailable.class::isInstance);
            assertNothingWritten();
        }

        /** Written with {@code 1/1} it is on one of the three, and is to stay so. */
        @Test
        void keyIsNotGivenMoreCopiesThanItsWriteAskedFor() {
            Cell single = value(2, 1);
            var _ = read(ALL);

            for (ManualReplica replica : replicas()) {
                if (replica == firstOwner()) {
                    replica.finds(single);
                } else {
                    replica.findsNothing();
                }
            }

            assertNothingWritten();
            assertThat(cluster.counted("kvorum.read.repairs.sent")).isZero();
        }

        @Test
        void ownerOfAKeyWithOneCopyIsMended() {
            Cell single = value(2, 1);
            var _ = read(ALL);

            for (ManualReplica replica : replicas()) {
                if (replica == firstOwner()) {
                    replica.finds(OLD);
                } else {
                    replica.finds(single);
                }
            }

            assertThat(firstOwner().written()).containsExactly(single);
        }

        @Test
        void whatTheBudgetDoesNotAllowIsLetBeAndCounted() {
            cluster.repairPercent = 0;
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);

            assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(NEW, 2, TWO_OF_THREE));
            assertNothingWritten();
            assertThat(dropped("budget")).isOne();
        }

        @Test
        void sameKeyIsNotMendedTwiceAtTheSameTime() {
            for (int i = 0; i < 3; i++) {
                replicas().forEach(ManualReplica::again);
                var _ = read(TWO_OF_THREE);
                cluster.n1.finds(OLD);
                cluster.n2.finds(NEW);
            }

            assertThat(cluster.n1.written()).hasSize(1);
            assertThat(dropped("busy")).isZero();
        }

        private double dropped(String reason) {
            return cluster.meters
                    .get("kvorum.read.repairs.dropped")
                    .tag("reason", reason)
                    .counter()
                    .count();
        }

        @Test
        void whatBecameOfItIsCounted() {
            var _ = read(ALL);
            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);
            cluster.n3.finds(OLD);

            cluster.n1.stores();
            cluster.n3.fails(Reason.OVERLOADED);

            assertThat(cluster.counted("kvorum.read.repairs.mended")).isOne();
            assertThat(cluster.counted("kvorum.read.repairs.failed")).isOne();
        }

        @Test
        void offMendsNothing() {
            cluster.repair = Repair.OFF;
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);

            assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(NEW, 2, TWO_OF_THREE));
            assertNothingWritten();
        }
    }

    @Nested
    class BeforeTheAnswer {
        BeforeTheAnswer() {
            cluster.repair = Repair.BLOCKING;
        }

        @Test
        void readIsAnsweredOnceAsManyReplicasHaveItsCellAsMustAnswer() {
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);

            assertThat(answer).isNotDone();
            assertThat(cluster.n1.written()).containsExactly(NEW);
            assertThat(cluster.n2.written()).isEmpty();

            cluster.n1.stores();

            assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(NEW, 2, TWO_OF_THREE));
            assertThat(cluster.counted("kvorum.read.repairs.waited")).isOne();
        }

        /** One that is slow to read may be quick to write, and either makes the quorum. */
        @Test
        void replicaThatWasNotHeardOfIsSentTheCellAsWell() {
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);

            cluster.n3.stores();

            assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(NEW, 2, TWO_OF_THREE));
            assertThat(cluster.n1.isCancelled()).isFalse();
        }

        @Test
        void replicasThatAgreeAreNotWaitedFor() {
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

            cluster.n1.finds(NEW);
            cluster.n3.finds(NEW);

            assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(NEW, 2, TWO_OF_THREE));
            assertNothingWritten();
        }

        @Test
        void deletionIsMadeKnownBeforeItIsTold() {
            Cell tombstone = Draft.tombstone().stamp(KEY, version(3), 3);
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
            cluster.n1.findsNothing();
            cluster.n2.finds(tombstone);

            assertThat(answer).isNotDone();

            cluster.n1.stores();

            assertThat(answer).isCompletedWithValue(new ReadOutcome.Absent(version(3), 2, TWO_OF_THREE));
        }

        @Test
        void readFailsAsSoonAsTooManyReplicasDoNotTakeItsCell() {
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);
            cluster.n1.fails(Reason.BROKEN);

            assertThat(answer).isNotDone();

            cluster.n3.fails(Reason.UNREACHABLE);

            assertThat(answer)
                    .isCompletedWithValue(new ReadOutcome.Unavailable(new Shortfall(
                            TWO_OF_THREE,
                            1,
                            List.of(cluster.n1.failure(Reason.BROKEN), cluster.n3.failure(Reason.UNREACHABLE)))));
        }

        @Test
        void readThatFindsNoRoomForItsCellIsRejected() {
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);

            cluster.n1.fails(Reason.OVERLOADED);
            cluster.n3.fails(Reason.OVERLOADED);

            assertThat(answer).isCompletedWithValueMatching(ReadOutcome.Rejected.class::isInstance);
        }

        @Test
        void readThatIsNotMendedByItsDeadlineTimesOut() {
            CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
            cluster.timer.advanceTimeBy(ManualCluster.DEADLINE.minusMillis(10));
            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);

            cluster.timer.advanceTimeBy(Duration.ofMillis(9));

            assertThat(answer).isNotDone();

            cluster.timer.advanceTimeBy(Duration.ofMillis(2));

            assertThat(answer)
                    .isCompletedWithValue(new ReadOutcome.TimedOut(new Shortfall(TWO_OF_THREE, 1, List.of())));

            cluster.n1.stores(); // Nobody is told again.
        }

        @Test
        void clientThatGoesAwayMeanwhileIsNotTold() {
            CompletableFuture<ReadOutcome> answer = new CompletableFuture<>();
            Disposable client =
                    cluster.reads().read(KEY, AskedQuorums.said(TWO_OF_THREE)).subscribe(answer::complete);
            cluster.n1.finds(OLD);
            cluster.n2.finds(NEW);

            client.dispose();
            cluster.n1.stores();

            assertThat(answer).isNotDone();
            assertThat(cluster.n1.isCancelled()).isFalse();
        }

        /** Nothing can make them hold it: as many fewer must. */
        @Test
        void replicasThatAreNotToHaveTheKeyAreNotWaitedFor() {
            Cell single = value(2, 1);
            CompletableFuture<ReadOutcome> answer = read(ALL);

            for (ManualReplica replica : replicas()) {
                if (replica == firstOwner()) {
                    replica.finds(single);
                } else {
                    replica.findsNothing();
                }
            }

            assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(single, 3, ALL));
            assertNothingWritten();
        }

        @Test
        void largeValueTakesRoomUntilTheReadIsAnswered() {
            Cell large = Draft.ofValue(new byte[Room.COUNTED_MIN]).stamp(KEY, version(2), 3);
            var _ = read(TWO_OF_THREE);
            cluster.n1.finds(OLD);
            cluster.n2.finds(large);

            assertThat(cluster.room.taken).hasValue(large.bytes().length);

            cluster.n1.stores();

            assertThat(cluster.room.taken).hasValue(0);
        }
    }
}
