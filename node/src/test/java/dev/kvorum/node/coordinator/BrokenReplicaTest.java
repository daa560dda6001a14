package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.WriteReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** A replica that breaks its promise to answer each call with one reply: a bug, which the client is told as such, and which ends nothing else. */
class BrokenReplicaTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final Cell OLD = value(1);
    private static final Cell LARGE = Draft.ofValue(new byte[Room.COUNTED_MIN]).stamp(KEY, version(2), 3);

    private final RuntimeException bug = new IllegalStateException("as the test says");
    private final ManualCluster cluster = new ManualCluster();
    private final List<Throwable> dropped = new ArrayList<>();

    private static Cell value(int counter) {
        return Draft.ofValue(new byte[] {7}).stamp(KEY, version(counter), 3);
    }

    private static Version version(int counter) {
        return new Version((ManualCluster.NOW << 16) + counter, 7);
    }

    @BeforeEach
    void listen() {
        Hooks.onErrorDropped(dropped::add);
    }

    @AfterEach
    void listenNoMore() {
        Hooks.resetOnErrorDropped();
    }

    private CompletableFuture<ReadOutcome> read() {
        CompletableFuture<ReadOutcome> answer = new CompletableFuture<>();
        var _ = cluster.reads()
                .read(KEY, AskedQuorums.said(TWO_OF_THREE))
                .subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    private CompletableFuture<WriteOutcome> write() {
        CompletableFuture<WriteOutcome> answer = new CompletableFuture<>();
        var _ = cluster.writes()
                .write(KEY, Draft.ofValue(new byte[] {7}), AskedQuorums.said(TWO_OF_THREE))
                .subscribe(answer::complete, answer::completeExceptionally);
        return answer;
    }

    private static void assertFailed(CompletableFuture<?> answer, String why) {
        assertThat(answer).isCompletedExceptionally();
        assertThat(answer.exceptionNow()).hasMessageContaining(why);
    }

    @Test
    void readFailsWithItCancelsTheOthersAndGivesItsRoomBack() {
        CompletableFuture<ReadOutcome> answer = read();
        cluster.n1.finds(LARGE);

        cluster.n2.breaks(bug);

        assertFailed(answer, "as the test says");
        assertThat(cluster.n3.isCancelled()).isTrue();
        assertThat(cluster.room.taken).hasValue(0);
        assertThat(cluster.deadlines.sweep()).isEqualTo(Deadlines.NEVER);
    }

    @Test
    void readFailsWhereACallEndsWithoutAReply() {
        CompletableFuture<ReadOutcome> answer = read();

        cluster.n2.endsWithoutReply();

        assertFailed(answer, "n2 ended a call without a reply");
    }

    @Test
    void readFailsWhereACallCanNotBeMade() {
        cluster.n1.whenAsked(() -> {
            throw bug;
        });

        assertFailed(read(), "as the test says");
    }

    @Test
    void hedgeThatBreaksIsWasted() {
        cluster.fanOut = FanOut.HEDGED;
        var _ = read();
        cluster.timer.advanceTimeBy(ManualCluster.DELAY_MAX.plusMillis(2));
        ManualReplica hedge = cluster.n2.reads() == 1 && cluster.n3.reads() == 1 ? cluster.n3 : cluster.n2;
        assertThat(cluster.counted("kvorum.read.hedges.sent")).isOne();

        hedge.breaks(bug);

        assertThat(cluster.counted("kvorum.read.hedges.wasted")).isOne();
    }

    @Test
    void whatBreaksWhileAnotherReplyDecidesIsDropped() {
        CompletableFuture<ReadOutcome> answer = read();
        cluster.n1.finds(OLD);
        cluster.room.whenTaken = () -> cluster.n3.breaks(bug);

        cluster.n2.finds(LARGE);

        assertThat(answer).isCompletedWithValue(new ReadOutcome.Found(LARGE, 2, TWO_OF_THREE));
        assertThat(dropped).containsExactly(bug);
    }

    @Test
    void readThatWaitsForItsWritesFailsWithIt() {
        cluster.repair = Repair.BLOCKING;
        CompletableFuture<ReadOutcome> answer = read();
        cluster.n1.finds(OLD);
        cluster.n2.finds(LARGE);
        assertThat(answer).isNotDone();

        cluster.n1.breaks(bug);

        assertFailed(answer, "as the test says");
        assertThat(cluster.room.taken).hasValue(0);
    }

    @Test
    void writeFailsWithItAndItsReplicaIsOwedAHint() {
        CompletableFuture<WriteOutcome> answer = write();

        cluster.n2.breaks(bug);

        assertFailed(answer, "as the test says");
        assertThat(cluster.hints.waiting()).containsOnlyKeys("n2");
        assertThat(cluster.inFlight.writes())
                .as("the others are still to reply")
                .isOne();

        cluster.n1.stores();
        cluster.n3.stores();

        assertThat(cluster.inFlight.writes()).isZero();
        assertThat(cluster.hints.waiting()).containsOnlyKeys("n2");
    }

    @Test
    void writeFailsWhereACallEndsWithoutAReply() {
        CompletableFuture<WriteOutcome> answer = write();

        cluster.n2.endsWithoutReply();

        assertFailed(answer, "n2 ended a call without a reply");
    }

    @Test
    void whatBreaksOnceTheWriteIsDecidedIsDroppedAndOwedAHint() {
        CompletableFuture<WriteOutcome> answer = write();
        cluster.n1.stores();
        cluster.n3.stores();

        cluster.n2.breaks(bug);

        assertThat(answer).isCompletedWithValueMatching(WriteOutcome.Written.class::isInstance);
        assertThat(dropped).containsExactly(bug);
        assertThat(cluster.hints.waiting()).containsOnlyKeys("n2");
        assertThat(cluster.inFlight.writes()).isZero();
    }

    /** Its reply counts all the same. */
    @Test
    void errorOfACallThatHasRepliedIsDropped() {
        List<Subscriber<? super WriteReply>> calls = new ArrayList<>();
        List<WriteReply> replies = new ArrayList<>();
        WriteReplies published = new WriteReplies(
                cluster.plans().forWrite(KEY, AskedQuorums.said(TWO_OF_THREE)).replicas(),
                replica -> Mono.fromDirect(call -> {
                    calls.add(call);
                    call.onSubscribe(Operators.emptySubscription());
                }),
                Deadlines.NEVER,
                cluster.deadlines,
                WriteReplies.Rest.UNWANTED);
        var _ = published.subscribe(replies::add);

        calls.getFirst().onNext(new WriteReply.Stored("n1"));
        calls.getFirst().onError(bug);

        assertThat(replies).containsExactly(new WriteReply.Stored("n1"));
        assertThat(dropped).containsExactly(bug);
    }

    /** Of no use once nobody listens, and counts how often it is left. */
    private static final class Left implements WriteReplies.Rest {
        private int times;

        @Override
        public void left() {
            times++;
        }
    }

    private WriteReplies writes(WriteReplies.Rest rest) {
        return new WriteReplies(
                cluster.plans().forWrite(KEY, AskedQuorums.said(TWO_OF_THREE)).replicas(),
                replica -> replica.write(KEY, OLD, 1),
                cluster.deadlines.now() + ManualCluster.DEADLINE.toNanos(),
                cluster.deadlines,
                rest);
    }

    @Test
    void writesThatNobodyNeedsAnyMoreAreLeftWhenTheirListenerGoes() {
        Left rest = new Left();
        Disposable listener = writes(rest).subscribe();
        assertThat(rest.times).isZero();

        listener.dispose();

        assertThat(rest.times).isOne();
        assertThat(cluster.deadlines.sweep()).isEqualTo(Deadlines.NEVER);
        assertThat(cluster.n1.isCancelled()).isFalse();
    }

    @Test
    void writesThatNobodyNeedsAnyMoreAreLeftWhenAReplicaBreaks() {
        Left rest = new Left();
        var _ = writes(rest).subscribe(reply -> {}, failure -> {});

        cluster.n2.breaks(bug);

        assertThat(rest.times).isOne();
        assertThat(cluster.deadlines.sweep()).isEqualTo(Deadlines.NEVER);
    }
}
