package dev.kvorum.node.frame;

import static dev.kvorum.node.frame.RawFrames.CONTINUES;
import static dev.kvorum.node.frame.RawFrames.MORE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.frame.RawFrames.Seen;
import dev.kvorum.node.http.ByteBudget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;

/** The server's end, with a caller that the test plays, and that need not keep to the protocol. */
class ServingConnectionTest {
    private static final int FULL = Frame.BODY_MAX;

    private final FramePair pair = FramePair.of("", "demo");

    private void greet() {
        pair.toServer(RawFrames.hello(3, "demo"));
        var _ = sent();
    }

    private List<Seen> sent() {
        return FramePair.sentBy(pair.server);
    }

    private List<Integer> statuses() {
        return sent().stream().map(Seen::head).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", ""})
    void callerOfTheClusterOrOfNoneIsWelcome(String cluster) {
        pair.toServer(RawFrames.hello(3, cluster));

        assertThat(sent()).singleElement().satisfies(frame -> {
            assertThat(frame.type()).isEqualTo(FrameType.WELCOME);
            assertThat(frame.head()).isEqualTo(3);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 127, 128, 255})
    void newerCallerIsWelcomeInTheOlderVersion(int version) {
        pair.toServer(RawFrames.hello(version, "demo"));

        assertThat(sent()).singleElement().satisfies(frame -> {
            assertThat(frame.type()).isEqualTo(FrameType.WELCOME);
            assertThat(frame.head()).isEqualTo(3);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "n1"})
    void callerThatMeansThisMemberOrAnyIsWelcome(String meant) {
        pair.toServer(hello(meant));

        assertThat(sent()).singleElement().satisfies(frame -> {
            assertThat(frame.type()).isEqualTo(FrameType.WELCOME);
            assertThat(frame.body()).startsWith(0, 2, 'n', '1');
        });
    }

    /** An address of another member leads here. */
    @Test
    void callerThatMeansAnotherMemberIsRefused() {
        pair.toServer(hello("n2"));

        assertThat(sent()).singleElement().satisfies(frame -> {
            assertThat(frame.type()).isEqualTo(FrameType.GOODBYE);
            assertThat(frame.head()).isEqualTo(1);
            assertThat(frame.text()).startsWith("member \"n1\" answers at this address instead of \"n2\"");
        });
        assertThat(pair.service.asked).isEmpty();
        assertThat(pair.server.isOpen()).isFalse();
    }

    /** It would be in the text of every failure. */
    @Test
    void nameThatIsTooLongIsMalformed() {
        pair.toServer(hello("x".repeat(64)));

        assertThat(pair.server.isOpen()).isFalse();
        assertThat(pair.count("kvorum.frames.malformed")).isOne();
    }

    private static byte[] hello(String meant) {
        return RawFrames.frame(FrameType.HELLO, 0, 1000, RawFrames.greeting(3, "demo", meant, "n7"));
    }

    @Test
    void olderVersionIsRefused() {
        pair.toServer(RawFrames.hello(2, "demo"));

        assertThat(sent()).singleElement().satisfies(frame -> {
            assertThat(frame.type()).isEqualTo(FrameType.GOODBYE);
            assertThat(frame.text()).contains("version 2");
        });
        assertThat(pair.server.isOpen()).isFalse();
    }

    @Test
    void callerOfAnotherClusterIsRefusedOnce() {
        byte[] hello = RawFrames.hello(3, "x".repeat(900));

        pair.toServer(RawFrames.joined(hello, hello, hello));

        assertThat(sent()).singleElement().satisfies(frame -> {
            assertThat(frame.type()).isEqualTo(FrameType.GOODBYE);
            assertThat(frame.text())
                    .startsWith("this is a member of cluster \"demo\"")
                    .hasSizeLessThan(300);
        });
        assertThat(pair.server.isOpen()).isFalse();
        assertThat(pair.count("kvorum.frames.malformed")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "KVR", "KVRM", "HTTP1", "KVRM\3", "KVRM\3\0\5demo", "KVRM\3\0\0\0\0\0\2n1"})
    void greetingThatIsNoneIsMalformed(String greeting) {
        pair.toServer(RawFrames.frame(FrameType.HELLO, 0, 1000, greeting.getBytes(StandardCharsets.UTF_8)));

        assertThat(pair.server.isOpen()).isFalse();
        assertThat(pair.count("kvorum.frames.malformed")).isOne();
    }

    /** Who has not greeted may be anybody. */
    @Test
    void longFrameBeforeTheGreetingIsNotGathered() {
        byte[] hello = RawFrames.hello(3, "x".repeat(1100));

        pair.toServer(Arrays.copyOf(hello, 100));

        assertThat(pair.server.isOpen()).isFalse();
        assertThat(pair.count("kvorum.frames.malformed")).isOne();
    }

    @ParameterizedTest
    @EnumSource(names = "HELLO", mode = EnumSource.Mode.EXCLUDE)
    void nothingIsServedBeforeTheGreeting(FrameType type) {
        pair.toServer(RawFrames.frame(type.code, 0, 1, 1, 1000, new byte[0]));

        assertThat(pair.server.isOpen()).isFalse();
        assertThat(pair.service.asked).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"HELLO", "WELCOME", "GOODBYE", "REPLY", "PONG"})
    void whatNoCallerSendsIsMalformedAfterTheGreeting(FrameType type) {
        greet();

        pair.toServer(RawFrames.frame(type, 0, 0, new byte[0]));

        assertThat(pair.server.isOpen()).isFalse();
        assertThat(pair.count("kvorum.frames.malformed")).isOne();
    }

    @Test
    void pingIsAnswered() {
        greet();

        pair.toServer(RawFrames.frame(FrameType.PING, 0, 0, new byte[0]));

        assertThat(sent()).extracting(Seen::type).containsExactly(FrameType.PONG);
    }

    @Test
    void repliesCarryTheIdOfTheirCall() {
        greet();
        pair.toServer(RawFrames.joined(RawFrames.call(7, 1000, "a"), RawFrames.call(-7, 1000, "b")));

        pair.service.answer(1, "for b");
        pair.service.answer(0, "for a");

        assertThat(sent()).extracting(Seen::id).containsExactly(-7, 7);
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void callsBeyondThoseThatAreServedAtATimeAreRefused() {
        greet();
        for (int id = 1; id <= 64; id++) {
            pair.toServer(RawFrames.call(id, 60_000, "x"));
        }
        assertThat(sent()).isEmpty();

        pair.toServer(RawFrames.call(65, 60_000, "x"));
        assertThat(statuses()).containsExactly(503);
        pair.service.answer(0, "room again");
        assertThat(statuses()).containsExactly(200);

        pair.toServer(RawFrames.call(66, 60_000, "x"));

        assertThat(sent()).isEmpty();
        assertThat(pair.service.asked).hasSize(65);
    }

    @Test
    void callThatIsTooLongIsRefusedOnceAndTheRestOfItIgnored() {
        greet();
        pair.toServer(RawFrames.call(1, MORE, 60_000, new byte[FULL]));
        for (int i = 0; i < 20; i++) {
            pair.toServer(RawFrames.call(1, MORE | CONTINUES, 60_000, new byte[FULL]));
        }
        pair.toServer(RawFrames.call(1, CONTINUES, 60_000, new byte[1]));

        assertThat(statuses()).containsExactly(413);
        assertThat(pair.service.asked).isEmpty();
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void callForWhichThereIsNoMemoryIsRefused() {
        greet();
        pair.allowance.take(8 << 20);

        pair.toServer(RawFrames.call(1, 1000, "x"));
        pair.toServer(RawFrames.call(2, MORE, 1000, new byte[FULL]));

        assertThat(statuses()).containsExactly(503, 503);
        assertThat(pair.server.isOpen()).isTrue();
        assertThat(pair.allowance.taken()).isEqualTo(8 << 20);
    }

    @Test
    void cancelSparesTheWorkAndNothingIsAnswered() {
        greet();
        pair.toServer(RawFrames.call(1, 60_000, "x"));

        pair.toServer(RawFrames.cancel(1));
        pair.service.answer(0, "in vain");

        assertThat(pair.service.cancelled()).isOne();
        assertThat(sent()).isEmpty();
        assertThat(pair.count("kvorum.frames.work.spared")).isOne();
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void cancelOfWhatIsAnsweredOrWasNeverAskedIsIgnored() {
        greet();
        pair.toServer(RawFrames.call(1, 60_000, "x"));
        pair.service.answer(0, "done");
        assertThat(statuses()).containsExactly(200);

        pair.toServer(RawFrames.joined(RawFrames.cancel(1), RawFrames.cancel(99)));

        assertThat(pair.server.isOpen()).isTrue();
        assertThat(pair.count("kvorum.frames.work.spared")).isZero();
    }

    @Test
    void cancelBetweenTheFramesOfACallForgetsIt() {
        greet();
        pair.toServer(RawFrames.call(1, MORE, 60_000, new byte[FULL]));
        pair.toServer(RawFrames.call(2, MORE, 60_000, new byte[FULL]));

        pair.toServer(RawFrames.cancel(1));
        pair.toServer(RawFrames.call(1, CONTINUES, 60_000, new byte[1]));
        pair.toServer(RawFrames.call(2, CONTINUES, 60_000, new byte[1]));

        assertThat(pair.service.asked).hasSize(1);
        assertThat(pair.allowance.taken()).isEqualTo(FULL + 1);
    }

    @Test
    void longReplyStopsWhenItIsCancelled() {
        greet();
        pair.toServer(RawFrames.call(1, 60_000, "x"));
        FramePair.setTaking(pair.server, false);
        pair.service.answer(0, HttpStatus.OK, new byte[1 << 20]);

        pair.toServer(RawFrames.cancel(1));
        FramePair.setTaking(pair.server, true);

        assertThat(sent()).isEmpty();
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void workThatNobodyWaitsForAnyMoreIsSpared() {
        greet();
        pair.toServer(RawFrames.call(1, 0, "x"));
        pair.toServer(RawFrames.call(2, -5, "x"));
        pair.toServer(RawFrames.call(3, 60_000, "x"));

        FramePair.pass(pair.server, FramePair.TICK_MILLIS);

        assertThat(pair.service.cancelled()).isEqualTo(2);
        assertThat(pair.allowance.taken()).isOne();
    }

    /** Its first frames hold memory of the whole node: that must end though the caller stays. */
    @Test
    void callWhoseRestDoesNotComeInTimeIsForgotten() {
        greet();
        pair.toServer(RawFrames.call(1, MORE, 0, new byte[FULL]));
        assertThat(pair.allowance.taken()).isEqualTo(FULL);

        FramePair.pass(pair.server, FramePair.TICK_MILLIS);

        assertThat(pair.allowance.taken()).isZero();
        assertThat(pair.server.isOpen()).isTrue();
    }

    @Test
    void idThatIsUsedTwiceEndsTheConnectionAndLeavesNothingBehind() {
        greet();
        pair.toServer(RawFrames.call(1, 60_000, "first"));

        pair.toServer(RawFrames.call(1, 60_000, "second"));

        assertThat(pair.server.isOpen()).isFalse();
        assertThat(pair.allowance.taken()).isZero();
        assertThat(pair.service.cancelled()).isOne();
    }

    @Test
    void endOfTheConnectionSparesItsWorkAndGivesItsMemoryBack() {
        greet();
        pair.toServer(RawFrames.call(1, 60_000, "x"));
        pair.toServer(RawFrames.call(2, MORE, 60_000, new byte[FULL]));

        var _ = pair.server.close();
        pair.service.answer(0, "in vain");

        assertThat(pair.service.cancelled()).isOne();
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void repliesOnTopOfThoseThatMayWaitAreFailures() {
        greet();
        FramePair.setTaking(pair.server, false);
        for (int id = 1; id <= 4; id++) {
            var _ = pair.server.writeOneInbound(
                    pair.server.alloc().buffer().writeBytes(RawFrames.call(id, 60_000, "x")));
            pair.service.answer(id - 1, HttpStatus.OK, new byte[700 << 10]);
        }

        FramePair.setTaking(pair.server, true);

        assertThat(sent().stream().filter(frame -> frame.head() == 503).map(Seen::id))
                .containsExactly(3, 4);
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void callerThatTakesNoRepliesIsAskedForNoCalls() {
        greet();

        FramePair.setTaking(pair.server, false);
        assertThat(pair.server.config().isAutoRead()).isFalse();
        FramePair.setTaking(pair.server, true);

        assertThat(pair.server.config().isAutoRead()).isTrue();
    }

    @Test
    void connectionWithoutAGreetingIsClosed() {
        FramePair.pass(pair.server, 2100 + FramePair.TICK_MILLIS);

        assertThat(pair.server.isOpen()).isFalse();
        assertThat(pair.count("kvorum.frames.silent")).as("of members").isZero();
    }

    @Test
    void callerThatBreaksItsPromiseToBeHeardIsClosed() {
        pair.toServer(RawFrames.hello(3, "demo", 500));

        FramePair.pass(pair.server, 2000);
        assertThat(pair.server.isOpen()).isTrue();
        FramePair.pass(pair.server, 300);

        assertThat(pair.server.isOpen()).isFalse();
        assertThat(pair.count("kvorum.frames.silent")).isOne();
    }

    @Test
    void promiseToBeHeardInYearsIsNotBelieved() {
        pair.toServer(RawFrames.hello(3, "demo", Integer.MAX_VALUE));

        FramePair.pass(pair.server, 4 * 5000 + 1000);

        assertThat(pair.server.isOpen()).isFalse();
    }

    @Test
    void trickledFrameDoesNotCountAsBeingHeard() {
        pair.toServer(RawFrames.hello(3, "demo", 500));
        byte[] call = RawFrames.call(1, 1000, "x".repeat(100));

        for (int i = 0; i < 40 && pair.server.isOpen(); i++) {
            pair.toServer(new byte[] {call[i]});
            FramePair.pass(pair.server, 100);
        }

        assertThat(pair.server.isOpen()).isFalse();
    }

    @Test
    void serviceThatThrowsEndsTheConnectionAndLeavesNothingBehind() {
        ByteBudget allowance = new ByteBudget(1000);
        PeerDoor door = new PeerDoor(
                (operation, body) -> {
                    throw new IllegalStateException("a bug");
                },
                FramePair.self(null),
                new FrameLimits(1000, 8, 1000, Duration.ofSeconds(2), Duration.ofSeconds(3), allowance),
                new FrameMetrics(new SimpleMeterRegistry()));
        EmbeddedChannel channel = new EmbeddedChannel();
        ServingConnection serving = new ServingConnection(channel, door);
        channel.pipeline().addLast(new FrameDecoder(serving), serving);

        channel.writeInbound(
                Unpooled.wrappedBuffer(RawFrames.joined(RawFrames.hello(3, ""), RawFrames.call(1, 1000, "x"))));

        assertThat(channel.isOpen()).isFalse();
        assertThat(allowance.taken()).isZero();
    }

    @Test
    void replyForWhichThereIsNoMemoryIsRefusedAndTakesNone() {
        FramePair pair = FramePair.greeted();
        var refused = pair.call("long reply");
        pair.settle();
        long others = (8 << 20) - pair.allowance.taken();
        assertThat(pair.allowance.take(others)).isTrue();

        pair.service.answer(0, HttpStatus.OK, new byte[ServingConnection.COUNTED_MIN]);
        pair.settle();

        assertThat(refused.join().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
        pair.allowance.giveBack(others);
        assertThat(pair.allowance.taken()).isZero();
    }

    /** What was done may not be told as refused. */
    @Test
    void shortReplyNeedsNoMemory() {
        greet();
        pair.toServer(RawFrames.call(1, 60_000, "x"));
        assertThat(pair.allowance.take((8 << 20) - 1)).isTrue(); // And the call has the last.

        pair.service.answer(0, HttpStatus.PRECONDITION_FAILED, new byte[ServingConnection.COUNTED_MIN - 1]);

        assertThat(statuses()).containsExactly(412);
        assertThat(pair.allowance.taken()).isEqualTo((8 << 20) - 1);
    }

    @Test
    void shortReplyIsSentHoweverMuchWaits() {
        greet();
        FramePair.setTaking(pair.server, false);
        for (int id = 1; id <= 4; id++) {
            pair.toServer(RawFrames.call(id, 60_000, "x"));
        }
        pair.service.answer(0, HttpStatus.OK, new byte[1 << 20]);
        pair.service.answer(1, HttpStatus.OK, new byte[1 << 20]);
        pair.service.answer(2, HttpStatus.OK, new byte[ServingConnection.COUNTED_MIN]);
        pair.service.answer(3, HttpStatus.PRECONDITION_FAILED, new byte[ServingConnection.COUNTED_MIN - 1]);

        FramePair.setTaking(pair.server, true);

        assertThat(statuses()).contains(200, 503, 412);
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void replyThatIsSentGivesItsMemoryBack() {
        FramePair pair = FramePair.greeted();
        var answered = pair.call("long reply");
        pair.settle();

        pair.service.answer(0, HttpStatus.OK, new byte[3 * Frame.BODY_MAX]);
        pair.settle();

        assertThat(answered.join().getStatusCode()).isEqualTo(HttpStatus.OK);
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void nodeThatStopsLetsItsCallsEndAndTakesNoMore() {
        FramePair pair = FramePair.greeted();
        var begun = pair.call("begun");
        pair.settle();

        var drained = pair.serving.drain();
        pair.settle();
        var late = pair.call("late");
        pair.settle();
        assertThat(late.join().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
        assertThat(drained.isDone()).isFalse();

        pair.service.answer(0, "yes");
        pair.settle();
        assertThat(begun.join().getStatusCode()).isEqualTo(HttpStatus.OK);
        assertThat(drained.isSuccess()).isTrue();
    }

    @Test
    void closedDoorClosesItsConnectionsAndLetsNoneIn() throws Exception {
        FramePair pair = FramePair.greeted();

        assertThat(pair.door.close(Duration.ZERO)).isFalse(); // Its loop has not run.
        pair.settle();
        EmbeddedChannel late = new EmbeddedChannel();
        late.pipeline().addLast(new ServingConnection(late, pair.door));
        late.runPendingTasks();

        assertThat(pair.server.isOpen()).isFalse();
        assertThat(late.isOpen()).isFalse();
    }
}
