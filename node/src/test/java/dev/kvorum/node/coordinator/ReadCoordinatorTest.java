package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReadCoordinatorTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final Cell OLD = value(1, "apples");
    private static final Cell NEW = value(2, "pears");

    private final ManualCluster cluster = new ManualCluster();

    private static Version version(int counter) {
        return new Version((ManualCluster.NOW << 16) + counter, 7);
    }

    private static Cell value(int counter, String text) {
        return Draft.ofValue(text.getBytes(StandardCharsets.UTF_8)).stamp(KEY, version(counter), 3);
    }

    private static Cell tombstone(int counter) {
        return Draft.tombstone().stamp(KEY, version(counter), 3);
    }

    private CompletableFuture<ReadOutcome> read(Quorum quorum) {
        CompletableFuture<ReadOutcome> answer = new CompletableFuture<>();
        var _ = cluster.reads()
                .read(KEY, AskedQuorums.said(quorum))
                .subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    private List<ManualReplica> cancelled() {
        return List.of(cluster.n1, cluster.n2, cluster.n3).stream()
                .filter(ManualReplica::isCancelled)
                .toList();
    }

    @Test
    void everyReplicaIsAskedAtOnce() {
        var _ = read(TWO_OF_THREE);

        assertThat(List.of(cluster.n1, cluster.n2, cluster.n3))
                .extracting(ManualReplica::reads)
                .containsExactly(1, 1, 1);
    }

    @Test
    void readIsAnsweredWithTheNewestOfTheFirstAckAnswers() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        cluster.n2.finds(NEW);

        assertThat(answer).isNotDone();

        cluster.n1.finds(OLD);

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(NEW, 2, TWO_OF_THREE));
    }

    @Test
    void newestWinsAlsoWhereItComesLast() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        cluster.n1.findsNothing();
        cluster.n3.finds(NEW);

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(NEW, 2, TWO_OF_THREE));
    }

    @Test
    void newestTombstoneHidesAnOlderValue() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        cluster.n1.finds(tombstone(3));
        cluster.n2.finds(NEW);

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Absent(version(3), 2, TWO_OF_THREE));
    }

    @Test
    void valueThatIsNewerThanTheTombstoneIsFound() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        cluster.n1.finds(tombstone(1));
        cluster.n2.finds(NEW);

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(NEW, 2, TWO_OF_THREE));
    }

    @Test
    void keyThatNoReplicaKnowsIsAbsentWithoutAVersion() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        cluster.n1.findsNothing();
        cluster.n2.findsNothing();

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Absent(null, 2, TWO_OF_THREE));
    }

    @Test
    void decidedReadCancelsThoseThatHaveNotAnswered() {
        var _ = read(TWO_OF_THREE);
        cluster.n1.finds(OLD);

        assertThat(cancelled()).isEmpty();

        cluster.n2.finds(OLD);

        assertThat(cancelled()).containsExactly(cluster.n3);
    }

    @Test
    void answerThatIsCancelledCancelsAllReplicas() {
        var client = cluster.reads().read(KEY, AskedQuorums.said(TWO_OF_THREE)).subscribe();

        client.dispose();

        assertThat(cancelled()).containsExactly(cluster.n1, cluster.n2, cluster.n3);
    }

    @Test
    void readFailsAsSoonAsItsQuorumIsOutOfReachAndCancelsTheRest() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.n1.fails(Reason.UNREACHABLE);

        assertThat(answer).isNotDone();

        cluster.n2.fails(Reason.TIMED_OUT);

        assertThat(answer)
                .isCompletedWithValue(new ReadOutcome.Unavailable(new Shortfall(
                        TWO_OF_THREE,
                        0,
                        List.of(cluster.n1.failure(Reason.UNREACHABLE), cluster.n2.failure(Reason.TIMED_OUT)))));
        assertThat(cancelled()).containsExactly(cluster.n3);
    }

    @Test
    void readThatFailedForLackOfRoomAloneIsRejected() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);

        cluster.n1.fails(Reason.OVERLOADED);
        cluster.n2.fails(Reason.OVERLOADED);

        assertThat(answer)
                .isCompletedWithValue(new ReadOutcome.Rejected(new Shortfall(
                        TWO_OF_THREE,
                        0,
                        List.of(cluster.n1.failure(Reason.OVERLOADED), cluster.n2.failure(Reason.OVERLOADED)))));
    }

    @Test
    void readThatIsOpenAtTheDeadlineTimesOutAndCancelsTheRest() {
        CompletableFuture<ReadOutcome> answer = read(TWO_OF_THREE);
        cluster.n1.finds(NEW);

        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE.minusMillis(1));

        assertThat(answer).isNotDone();

        cluster.timer.advanceTimeBy(Duration.ofMillis(1));

        assertThat(answer).isCompletedWithValue(new ReadOutcome.TimedOut(new Shortfall(TWO_OF_THREE, 1, List.of())));
        assertThat(cancelled()).containsExactly(cluster.n2, cluster.n3);
    }

    @Test
    void readWithoutAnyAnswerTimesOutAsWell() {
        CompletableFuture<ReadOutcome> answer = read(new Quorum(1, 3));

        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE);

        assertThat(answer)
                .isCompletedWithValue(new ReadOutcome.TimedOut(new Shortfall(new Quorum(1, 3), 0, List.of())));
    }

    @Test
    void versionIssuedAfterAReadIsAboveTheOneRead() {
        var _ = read(new Quorum(1, 3));

        cluster.n1.finds(value(9, "pears"));

        assertThat(cluster.clock.next()).isGreaterThan(version(9));
    }
}
