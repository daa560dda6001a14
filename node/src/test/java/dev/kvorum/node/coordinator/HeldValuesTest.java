package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.quorum.Quorum;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** A read that waits for another replica holds the values it has: they take memory, and there may be none. */
class HeldValuesTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final Cell LARGE = value(Room.COUNTED_MIN);

    private final ManualCluster cluster = new ManualCluster();
    private final CompletableFuture<ReadOutcome> answer = new CompletableFuture<>();

    private static Cell value(int bytes) {
        return Draft.ofValue(new byte[bytes]).stamp(KEY, new Version((ManualCluster.NOW << 16) + 1, 7), 3);
    }

    private Disposable read() {
        return cluster.reads().read(KEY, AskedQuorums.said(TWO_OF_THREE)).subscribe(outcome -> {
            assertThat(cluster.room.taken)
                    .as("taken when the outcome is handed on")
                    .hasValue(0);
            answer.complete(outcome);
        });
    }

    @Test
    void largeValueTakesRoomUntilTheReadIsDecided() {
        var _ = read();

        cluster.n1.finds(LARGE);
        assertThat(cluster.room.taken).hasValue(LARGE.bytes().length);

        cluster.n2.finds(LARGE);
        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(LARGE, 2, TWO_OF_THREE));
    }

    @Test
    void smallValueTakesNone() {
        var _ = read();

        cluster.n1.finds(value(100));

        assertThat(cluster.room.taken).hasValue(0);
    }

    @Test
    void valueWithoutRoomIsAnOverloadOfItsReplica() {
        cluster.room.isFull = true;
        var _ = read();

        cluster.n1.finds(LARGE);
        assertThat(answer).isNotDone();
        cluster.n2.finds(LARGE);

        assertThat(answer).isCompletedWithValueMatching(ReadOutcome.Rejected.class::isInstance);
    }

    @Test
    void readThatFindsRoomElsewhereSucceeds() {
        var _ = read();
        cluster.room.isFull = true;
        cluster.n1.finds(LARGE);
        cluster.room.isFull = false;

        cluster.n2.finds(LARGE);
        cluster.n3.findsNothing();

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(LARGE, 2, TWO_OF_THREE));
    }

    @Test
    void readThatIsCancelledOrTooLateGivesItsRoomBack() {
        Disposable cancelled = read();
        cluster.n1.finds(LARGE);
        cancelled.dispose();
        assertThat(cluster.room.taken).hasValue(0);

        cluster.n1.again();
        var _ = read();
        cluster.n1.finds(LARGE);
        cluster.timer.advanceTimeBy(ManualCluster.DEADLINE.plusMillis(10));

        assertThat(answer).isCompletedWithValueMatching(ReadOutcome.TimedOut.class::isInstance);
    }

    @Test
    void valueThatComesWhileItsClientGoesGivesItsRoomBack() {
        Disposable client = read();
        cluster.room.whenTaken = client::dispose;

        cluster.n1.finds(LARGE);

        assertThat(cluster.room.taken).hasValue(0);
        assertThat(cluster.n2.isCancelled()).isTrue();
    }
}
