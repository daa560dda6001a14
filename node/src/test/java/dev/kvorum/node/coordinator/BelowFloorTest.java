package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Writes whose version is below one that a replica has acknowledged. */
class BelowFloorTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final long SECOND = 1000L << 16;
    private static final Version VERSION = new Version(ManualCluster.NOW << 16, 42);
    private static final Version FLOOR = new Version(VERSION.hybridTime() + 9 * SECOND, 7);
    private static final Version ABOVE = new Version(FLOOR.hybridTime() + (2 << 16), 42);
    private static final Version TOO_FAR = new Version(VERSION.hybridTime() + 11 * SECOND, 7);

    private final ManualCluster cluster = new ManualCluster();

    private CompletableFuture<WriteOutcome> write(Quorum quorum) {
        CompletableFuture<WriteOutcome> answer = new CompletableFuture<>();
        var _ = cluster.writes()
                .write(KEY, apples(), AskedQuorums.said(quorum))
                .subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    private static Draft apples() {
        return Draft.ofValue("apples".getBytes(StandardCharsets.UTF_8));
    }

    private void allAnswerAnew() {
        List.of(cluster.n1, cluster.n2, cluster.n3).forEach(ManualReplica::again);
    }

    @Test
    void isStampedAboveTheFloorAndSentToAllAgain() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        cluster.n1.isAbove(FLOOR);
        assertThat(answer).isNotDone();
        assertThat(cluster.n3.written()).hasSize(1);

        cluster.n2.isAbove(new Version(FLOOR.hybridTime() - 5, 7));

        assertThat(cluster.n3.written())
                .containsExactly(apples().stamp(KEY, VERSION, 3), apples().stamp(KEY, ABOVE, 3));

        cluster.n1.stores();
        cluster.n2.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(ABOVE, 2, TWO_OF_THREE));
        assertThat(cluster.hints.waiting()).isEmpty();
    }

    /** It follows no write that was acknowledged by a quorum: that would have met one of the two. */
    @Test
    void isAcknowledgedByTheOthersIfTheyAreEnough() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        cluster.n1.stores();
        cluster.n2.isAbove(FLOOR);
        cluster.n3.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
        assertThat(cluster.n1.written()).hasSize(1);
        assertThat(cluster.n2.brought()).containsExactly(apples().stamp(KEY, VERSION, 3));
        assertThat(cluster.hints.waiting()).isEmpty();
        assertThat(cluster.inFlight.writes()).isOne();

        cluster.n2.stores();

        assertThat(cluster.inFlight.writes()).isZero();
        assertThat(cluster.hints.waiting()).isEmpty();
    }

    @Test
    void hintIsKeptWhereAReplicaThatWasPassedOverDoesNotTakeItEither() {
        var _ = write(TWO_OF_THREE);

        cluster.n1.stores();
        cluster.n3.stores();
        cluster.n2.isAbove(FLOOR);
        cluster.n2.fails(Reason.UNREACHABLE);

        assertThat(cluster.hints.waiting()).containsOnlyKeys("n2");
        assertThat(cluster.inFlight.writes()).isZero();
    }

    @Test
    void waitsForNoReplicaThatCannotBeCountedOn() {
        for (int i = 0; i < 5; i++) {
            var _ = write(new Quorum(1, 3));
            cluster.n3.fails(Reason.UNREACHABLE);
            cluster.n1.stores();
            cluster.n2.stores();
            allAnswerAnew();
        }
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);
        cluster.n1.stores();
        int before = cluster.n2.written().size();

        cluster.n2.isAbove(FLOOR);

        assertThat(cluster.n2.written()).hasSize(before + 1);
        assertThat(answer).isNotDone();
    }

    @Test
    void failsWhereTheFloorIsTooFarAheadOfItsOwnClock() {
        CompletableFuture<WriteOutcome> answer = write(new Quorum(3, 3));

        cluster.n2.isAbove(TOO_FAR);

        assertThat(answer)
                .isCompletedWithValueMatching(outcome -> outcome instanceof WriteOutcome.Unavailable unavailable
                        && unavailable
                                .shortfall()
                                .failures()
                                .getFirst()
                                .detail()
                                .equals("it may have acknowledged a newer write, of version " + TOO_FAR));
        assertThat(cluster.n1.written()).hasSize(1);
    }

    /** One that is hostile, or was stamped by a wrong clock, must not hide another that can be met. */
    @Test
    void floorThatIsTooFarAheadDoesNotHideAnother() {
        CompletableFuture<WriteOutcome> answer = write(TWO_OF_THREE);

        cluster.n3.isAbove(TOO_FAR);
        cluster.n2.isAbove(FLOOR);
        cluster.n1.stores();
        cluster.n2.stores();

        assertThat(answer).isCompletedWithValue(new WriteOutcome.Written(ABOVE, 2, TWO_OF_THREE));
    }

    @Test
    void floorThatIsNoneIsARefusal() {
        CompletableFuture<WriteOutcome> negative = write(new Quorum(3, 3));
        cluster.n2.isAbove(new Version(-1, 7));
        assertThat(negative).isCompletedWithValueMatching(outcome -> outcome instanceof WriteOutcome.Unavailable);

        CompletableFuture<WriteOutcome> low = write(new Quorum(3, 3));
        cluster.n2.isAbove(new Version(1, 7));

        assertThat(low).isCompletedWithValueMatching(outcome -> outcome instanceof WriteOutcome.Unavailable);
    }

    @Test
    void isStampedFurtherAheadEachTime() {
        var _ = write(new Quorum(3, 3));
        for (int i = 0; i < 3; i++) {
            cluster.n2.isAbove(
                    new Version(cluster.n2.written().getLast().version().hybridTime() + 1, 7));
        }

        List<Long> times = cluster.n2.written().stream()
                .map(cell -> cell.version().hybridTime())
                .toList();
        assertThat(times.get(2) - times.get(1)).isEqualTo((4 << 16) + 1);
        assertThat(times.get(3) - times.get(2)).isEqualTo((8 << 16) + 1);
    }

    @Test
    void isStampedAnewABoundedNumberOfTimes() {
        CompletableFuture<WriteOutcome> answer = write(new Quorum(3, 3));

        for (int i = 0; i <= Attempts.RENEWALS_MAX; i++) {
            assertThat(answer).isNotDone();
            cluster.n2.isAbove(
                    new Version(cluster.n2.written().getLast().version().hybridTime() + 1, 7));
        }

        assertThat(answer).isCompletedWithValueMatching(outcome -> outcome instanceof WriteOutcome.Unavailable);
        assertThat(cluster.n2.brought()).hasSize(1); // The others may have taken it.
        assertThat(cluster.n2.written()).hasSize(Attempts.RENEWALS_MAX + 2);
    }

    /** What a replica took of the former attempt may come to light: those that fail afterwards are owed the cell. */
    @Test
    void hintsAreKeptWhereAFormerAttemptMayBeSomewhere() {
        var _ = write(new Quorum(3, 3));
        cluster.n1.stores();
        cluster.n1.again();

        cluster.n2.isAbove(FLOOR);
        cluster.n1.fails(Reason.OVERLOADED);

        assertThat(cluster.hints.waiting()).containsKey("n1");
    }

    @Test
    void clientThatHasGoneLetsItEnd() {
        var gone = cluster.writes()
                .write(KEY, apples(), AskedQuorums.said(new Quorum(3, 3)))
                .subscribe();
        gone.dispose();

        cluster.n2.isAbove(FLOOR);

        assertThat(cluster.n2.written()).hasSize(1);
    }
}
