package dev.kvorum.node.frame;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.frame.RawFrames.CONTINUES;
import static dev.kvorum.node.frame.RawFrames.MORE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.frame.CallFailedException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.reactive.ClientHttpResponse;

/** The caller's end, most of the time with the server's end behind it. */
class CallingConnectionTest {
    private static final int FULL = Frame.BODY_MAX;

    private static Reason reasonOf(CompletableFuture<ClientHttpResponse> answer) {
        return failureOf(answer).reason();
    }

    private static CallFailedException failureOf(CompletableFuture<ClientHttpResponse> answer) {
        assertThat(answer).isDone();
        return FramePair.failureOf(answer);
    }

    private static byte[] bodyOf(CompletableFuture<ClientHttpResponse> answer) {
        assertThat(answer).isDone();
        return FramePair.bodyOf(answer);
    }

    private static String textOf(CompletableFuture<ClientHttpResponse> answer) {
        return new String(bodyOf(answer), StandardCharsets.UTF_8);
    }

    private static byte[] reply(int id, int status) {
        return RawFrames.frame(FrameType.REPLY, id, status, new byte[0]);
    }

    @Test
    void callIsAnswered() {
        FramePair pair = FramePair.greeted();

        var answer = pair.call("key");
        pair.settle();
        pair.service.answer(0, HttpStatus.NOT_FOUND, "value".getBytes(StandardCharsets.UTF_8));
        pair.settle();

        assertThat(pair.service.asked).containsExactly("1 key");
        assertThat(answer.join().getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND);
        assertThat(textOf(answer)).isEqualTo("value");
        assertThat(pair.calling.inFlight()).isZero();
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void repliesComeInAnyOrder() {
        FramePair pair = FramePair.greeted();
        var first = pair.call("first");
        var second = pair.call("second");
        pair.settle();

        pair.service.answer(1, "to the second");
        pair.service.answer(0, "to the first");
        pair.settle();

        assertThat(textOf(first)).isEqualTo("to the first");
        assertThat(textOf(second)).isEqualTo("to the second");
    }

    @Test
    void longBodiesArriveWholeBothWays() {
        FramePair pair = FramePair.greeted();
        byte[] body = RawFrames.filled((1 << 20) - 3, 'x');

        var answer = pair.call(2, body, FramePair.NEVER_LATE);
        pair.settle();
        assertThat(pair.allowance.taken()).isEqualTo(body.length);
        pair.service.answer(0, HttpStatus.OK, body);
        pair.settle();

        assertThat(pair.service.asked.getFirst()).isEqualTo("2 " + new String(body, StandardCharsets.UTF_8));
        assertThat(bodyOf(answer)).isEqualTo(body);
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void callsThatCameBeforeTheGreetingAreSentAfterIt() {
        FramePair pair = FramePair.of("demo", "demo");
        var early = pair.call("early");
        var cancelled = pair.call("cancelled");
        cancelled.cancel(true);

        pair.greet();
        pair.service.answer(0, "yes");
        pair.settle();

        assertThat(pair.service.asked).containsExactly("1 early");
        assertThat(textOf(early)).isEqualTo("yes");
    }

    @Test
    void callSaysWhatIsLeftOfItsTimeWhenItIsSent() {
        FramePair pair = FramePair.of("", null);
        AtomicLong now = new AtomicLong();
        var waits = FramePair.callOver(pair.link, 1, new byte[] {'k'}, 500, now::get);
        var late = FramePair.callOver(pair.link, 1, new byte[] {'k'}, 100, now::get);
        pair.calling.greet(new Greeting(PeerIdentity.ofNoMember(""), ""));
        var _ = FramePair.sentBy(pair.caller);

        now.addAndGet(TimeUnit.MICROSECONDS.toNanos(200_300));
        pair.toCaller(RawFrames.welcome(3, "n1"));

        assertThat(FramePair.sentBy(pair.caller).stream().map(RawFrames.Seen::head))
                .containsExactly(300);
        assertThat(waits).isNotDone();
        assertThat(reasonOf(late)).isEqualTo(Reason.TIMED_OUT);
    }

    /** A call finds no connection; before it can say that it waits for one, there is one. */
    @Test
    void callThatMeetsTheWelcomeIsSent() throws InterruptedException {
        FramePair pair = FramePair.of("", null);
        List<CompletableFuture<ClientHttpResponse>> answers = new CopyOnWriteArrayList<>();
        Thread other = new Thread(() -> answers.add(pair.call("met")));

        synchronized (pair.link) {
            other.start();
            eventually("it has found no connection", () -> other.getState() == Thread.State.BLOCKED);
            pair.greet();
        }
        other.join();
        pair.settle();
        pair.service.answer(0, "yes");
        pair.settle();

        assertThat(textOf(answers.getFirst())).isEqualTo("yes");
    }

    @Test
    void memberOfAnotherClusterRefuses() {
        FramePair pair = FramePair.of("demo", "other");
        var early = pair.call("early");

        pair.greet();

        assertThat(reasonOf(early)).isEqualTo(Reason.REFUSED);
        assertThat(failureOf(early)).hasMessage("this is a member of cluster \"other\", not of \"demo\"");
        assertThat(pair.caller.isOpen()).isFalse();
        assertThat(reasonOf(pair.call("later"))).isEqualTo(Reason.REFUSED);
    }

    /** Clients are told it, once for each request. */
    @Test
    void longReasonOfARefusalIsCut() {
        FramePair pair = FramePair.of("", null);
        var early = pair.call("early");
        pair.calling.greet(new Greeting(PeerIdentity.ofNoMember(""), ""));

        pair.toCaller(RawFrames.frame(FrameType.GOODBYE, 0, 0, RawFrames.filled(60_000, 'x')));

        assertThat(reasonOf(early)).isEqualTo(Reason.REFUSED);
        assertThat(failureOf(early).getMessage()).startsWith("x".repeat(1000)).hasSizeLessThan(1100);
    }

    @Test
    void refusalAfterTheGreetingDoesNotTellThatCallsWereNotCarriedOut() {
        FramePair pair = FramePair.greeted();
        var underWay = pair.call("under way");
        pair.settle();

        pair.toCaller(RawFrames.frame(FrameType.GOODBYE, 0, 0, RawFrames.filled(3, 'x')));

        assertThat(reasonOf(underWay)).isEqualTo(Reason.UNREACHABLE);
        assertThat(failureOf(underWay)).hasMessage("xxx");
        assertThat(pair.caller.isOpen()).isFalse();
    }

    @Test
    void welcomeInAnotherVersionIsMalformed() {
        FramePair pair = FramePair.of("", null);
        pair.calling.greet(new Greeting(PeerIdentity.ofNoMember(""), ""));

        pair.toCaller(RawFrames.frame(FrameType.WELCOME, 0, 2, new byte[0]));

        assertThat(pair.caller.isOpen()).isFalse();
        assertThat(pair.count("kvorum.frames.malformed")).isOne();
    }

    /** The server need not look at whom the caller means. */
    @Test
    void memberThatWasNotMeantIsNotCalled() {
        FramePair pair = FramePair.of("demo", "demo");
        var early = pair.call("early");
        pair.calling.greet(new Greeting(PeerIdentity.ofNoMember("demo"), "n2"));

        pair.toCaller(RawFrames.welcome(3, "n1"));

        assertThat(pair.caller.isOpen()).isFalse();
        assertThat(failureOf(early).reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(failureOf(early)).hasMessageStartingWith("member \"n1\" answers at this address instead of \"n2\"");
        assertThat(pair.count("kvorum.frames.mistaken")).isOne();
    }

    @Test
    void callerHearsThatAnotherMemberWasMeant() {
        FramePair pair = FramePair.of("demo", "demo");
        var early = pair.call("early");
        pair.calling.greet(new Greeting(PeerIdentity.ofNoMember("demo"), "n2"));

        pair.settle();

        assertThat(failureOf(early).reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(failureOf(early)).hasMessageStartingWith("member \"n1\" answers at this address instead of \"n2\"");
        assertThat(pair.count("kvorum.frames.mistaken")).isOne();
    }

    @Test
    void memberThatWasMeantIsCalled() {
        FramePair pair = FramePair.of("demo", "demo");
        pair.calling.greet(new Greeting(PeerIdentity.ofNoMember("demo"), "n1"));

        pair.settle();

        assertThat(pair.link.isReady()).isTrue();
    }

    @Test
    void serverThatDoesNotGreetIsGivenUp() {
        FramePair pair = FramePair.of("", null);
        var early = pair.call("early");
        pair.calling.greet(new Greeting(PeerIdentity.ofNoMember(""), ""));

        FramePair.pass(pair.caller, 2000);

        assertThat(pair.caller.isOpen()).isFalse();
        assertThat(reasonOf(early)).isEqualTo(Reason.UNREACHABLE);
        assertThat(pair.count("kvorum.frames.silent")).isOne();
    }

    @Test
    void callCancelledBeforeItWasSentIsNotSent() {
        FramePair pair = FramePair.greeted();

        pair.call("cancelled").cancel(true);
        FramePair.pass(pair.caller, FramePair.TICK_MILLIS);

        assertThat(FramePair.sentBy(pair.caller)).isEmpty(); // Neither the call nor its cancel.
        assertThat(pair.cancelled("unsent")).isOne();
        assertThat(pair.calling.inFlight()).isZero();
        assertThat(pair.calling.waitingBytes()).isZero();
    }

    @Test
    void callCancelledLaterSparesTheServersWork() {
        FramePair pair = FramePair.greeted();
        var answer = pair.call("cancelled");
        pair.settle();

        answer.cancel(true);
        pair.tick();

        assertThat(pair.service.cancelled()).isOne();
        assertThat(pair.cancelled("sent")).isOne();
        assertThat(pair.count("kvorum.frames.work.spared")).isOne();
        assertThat(pair.allowance.taken()).isZero();
        assertThat(pair.calling.inFlight()).isZero();
        assertThat(pair.caller.isOpen()).isTrue();
    }

    @Test
    void cancelIsSpareIfTheReplyIsThereFirst() {
        FramePair pair = FramePair.greeted();
        var answer = pair.call("cancelled");
        pair.settle();

        answer.cancel(true);
        pair.service.answer(0, "too late");
        pair.settle(); // The reply comes before the tick that sends the cancel.
        pair.tick();

        assertThat(pair.cancelled("spared")).isOne();
        assertThat(pair.cancelled("sent")).isZero();
        assertThat(pair.calling.inFlight()).isZero();
    }

    @Test
    void callCancelledAfterItsReplyIsNotHeardOf() {
        FramePair pair = FramePair.greeted();
        var answer = pair.call("answered");
        pair.settle();
        pair.service.answer(0, "yes");
        pair.settle();

        answer.cancel(true);
        pair.tick();

        assertThat(pair.cancelled("sent") + pair.cancelled("spared") + pair.cancelled("unsent"))
                .isZero();
    }

    @Test
    void longCallCancelledHalfwayStopsAndTheServerForgetsIt() {
        FramePair pair = FramePair.greeted();
        FramePair.setTaking(pair.caller, false);
        var answer = pair.call(2, new byte[10 * FULL], FramePair.NEVER_LATE);
        var _ = pair.call("other");
        pair.toServer(RawFrames.call(1, MORE, 1000, new byte[FULL])); // The first frame, as if the rest were held up.
        assertThat(pair.allowance.taken()).isEqualTo(FULL);

        answer.cancel(true);
        pair.toServer(RawFrames.cancel(1));
        FramePair.setTaking(pair.caller, true);
        pair.tick();

        assertThat(pair.service.asked).containsExactly("1 other");
        assertThat(pair.calling.waitingBytes()).isZero();
    }

    @Test
    void restOfACallThatIsAnsweredBeforeItIsWholeIsNotSent() {
        FramePair pair = FramePair.greeted();
        FramePair.setTaking(pair.caller, false);
        var answer = pair.call(2, new byte[10 * FULL], FramePair.NEVER_LATE);
        pair.toCaller(reply(1, 413)); // To its first frame, as if the rest were held up.

        FramePair.setTaking(pair.caller, true);
        pair.tick();

        assertThat(answer.join().getStatusCode()).isEqualTo(HttpStatus.CONTENT_TOO_LARGE);
        assertThat(FramePair.sentBy(pair.caller)).isEmpty();
        assertThat(pair.allowance.taken()).isZero();
        assertThat(pair.calling.waitingBytes()).isZero();
    }

    @Test
    void callThatCanNotBeWrittenEndsTheConnectionAndAllItsCalls() {
        FramePair pair = FramePair.greeted();
        FramePair.setTaking(pair.caller, false);
        AtomicLong looks = new AtomicLong();
        var before = pair.call("before");
        var broken = FramePair.callOver(pair.link, 1, new byte[] {'k'}, FramePair.NEVER_LATE, () -> {
            if (looks.getAndIncrement() > 0) { // When it is written.
                throw new OutOfMemoryError("on purpose");
            }
            return 0;
        });
        var behind = pair.call("behind");

        FramePair.setTaking(pair.caller, true);
        pair.settle();

        assertThat(pair.caller.isOpen()).isFalse();
        assertThat(List.of(before, broken, behind))
                .allSatisfy(answer -> assertThat(reasonOf(answer)).isEqualTo(Reason.UNREACHABLE));
        assertThat(pair.calling.waitingBytes()).isZero();
        assertThat(pair.calling.inFlight()).isZero();
    }

    @Test
    void manyCallsThatAreLateWhenThereIsAConnectionAreToldAFewAtATime() {
        FramePair pair = FramePair.of("", null);
        AtomicLong now = new AtomicLong();
        List<CompletableFuture<ClientHttpResponse>> late = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            late.add(FramePair.callOver(pair.link, 1, new byte[] {'k'}, 100, now::get));
        }
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(101));

        pair.greet();
        assertThat(late).filteredOn(CompletableFuture::isDone).hasSizeBetween(1, 30);
        for (int turn = 0; turn < 4; turn++) {
            pair.tick();
        }

        assertThat(late).allSatisfy(answer -> assertThat(reasonOf(answer)).isEqualTo(Reason.TIMED_OUT));
        assertThat(pair.service.asked).isEmpty();
    }

    @Test
    void lateCallsThatAreStillToBeToldAreNotSentAnyMore() {
        FramePair pair = FramePair.greeted();
        FramePair.setTaking(pair.caller, false);
        List<CompletableFuture<ClientHttpResponse>> late = new ArrayList<>();
        for (int i = 0; i < 20; i++) { // More than are told at once.
            late.add(pair.call(1, new byte[] {'k'}, 0));
        }
        FramePair.pass(pair.caller, FramePair.TICK_MILLIS);
        assertThat(late).anyMatch(answer -> !answer.isDone());

        FramePair.setTaking(pair.caller, true);
        pair.tick();
        pair.tick();

        assertThat(late).allMatch(CompletableFuture::isDone);
        assertThat(pair.service.asked).isEmpty();
    }

    @Test
    void repliesToACancelledCallAreForgottenOnTheWay() {
        FramePair pair = FramePair.greeted();
        var answer = pair.call("cancelled");
        pair.caller.runPendingTasks();
        pair.toCaller(RawFrames.frame(5, MORE, 0, 1, 200, new byte[FULL]));
        assertThat(pair.callerMemory.taken()).isEqualTo(FULL);

        answer.cancel(true);
        pair.tick();
        assertThat(pair.callerMemory.taken()).isZero();
        pair.toCaller(RawFrames.frame(5, CONTINUES, 0, 1, 200, new byte[1]));

        assertThat(pair.callerMemory.taken()).isZero();
        assertThat(pair.caller.isOpen()).isTrue();
    }

    @Test
    void lateCallFailsAndTheServerSparesIt() {
        FramePair pair = FramePair.greeted();
        var late = pair.call(1, new byte[] {'k'}, 0);
        pair.settle();

        pair.tick();

        assertThat(reasonOf(late)).isEqualTo(Reason.TIMED_OUT);
        assertThat(pair.service.cancelled()).isOne();
        assertThat(pair.count("kvorum.frames.work.spared")).isOne();
        assertThat(pair.calling.inFlight()).isZero();
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void lateReplyIsIgnored() {
        FramePair pair = FramePair.greeted();
        var late = pair.call(1, new byte[] {'k'}, 0);
        pair.settle();
        pair.service.answer(0, "late");
        FramePair.pass(pair.caller, FramePair.TICK_MILLIS);

        pair.settle();

        assertThat(reasonOf(late)).isEqualTo(Reason.TIMED_OUT);
        assertThat(pair.caller.isOpen()).isTrue();
    }

    @Test
    void replyForNoCallIsIgnored() {
        FramePair pair = FramePair.greeted();

        pair.toCaller(reply(12345, 200));
        pair.toCaller(RawFrames.frame(5, MORE, 0, 12345, 200, new byte[FULL]));

        assertThat(pair.caller.isOpen()).isTrue();
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void callsBeyondThoseThatMayBeInFlightAreRefused() {
        FramePair pair = FramePair.greeted(8);
        for (int i = 0; i < 8; i++) {
            var _ = pair.call("in flight");
        }

        var refused = pair.call("one more");

        assertThat(reasonOf(refused)).isEqualTo(Reason.OVERLOADED);
        assertThat(pair.calling.inFlight()).isEqualTo(8);
    }

    @Test
    void bytesBeyondThoseThatMayWaitAreRefused() {
        FramePair pair = FramePair.greeted();
        FramePair.setTaking(pair.caller, false);
        var _ = pair.call(2, new byte[1 << 20], FramePair.NEVER_LATE);
        var _ = pair.call(2, new byte[1 << 20], FramePair.NEVER_LATE);

        var refused = pair.call("one more");

        assertThat(reasonOf(refused)).isEqualTo(Reason.OVERLOADED);
        assertThat(pair.calling.inFlight()).isEqualTo(2);
    }

    @Test
    void replyThatIsTooLongFailsItsCallAlone() {
        FramePair pair = FramePair.greeted();
        var refused = pair.call("too long");
        var other = pair.call("other");
        pair.settle();

        pair.service.answer(0, HttpStatus.OK, new byte[(1 << 20) + 1]);
        pair.service.answer(1, "yes");
        pair.settle();

        assertThat(reasonOf(refused)).isEqualTo(Reason.REFUSED);
        assertThat(textOf(other)).isEqualTo("yes");
        assertThat(pair.allowance.taken()).isZero();
    }

    @Test
    void replyForWhichThereIsNoMemoryFailsItsCallAlone() {
        FramePair pair = FramePair.greeted();
        var refused = pair.call("no room");
        pair.settle();
        assertThat(pair.callerMemory.take(8 << 20)).isTrue();

        pair.service.answer(0, HttpStatus.OK, new byte[2 * FULL]);
        pair.settle();

        assertThat(reasonOf(refused)).isEqualTo(Reason.OVERLOADED);
        assertThat(pair.caller.isOpen()).isTrue();
    }

    @Test
    void callsInFlightFailWithTheirConnection() {
        FramePair pair = FramePair.greeted();
        List<CompletableFuture<ClientHttpResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            answers.add(pair.call("in flight"));
        }
        pair.settle();

        var _ = pair.server.close();
        pair.settle();

        assertThat(answers).allMatch(answer -> reasonOf(answer) == Reason.UNREACHABLE);
        assertThat(reasonOf(pair.call("later"))).isEqualTo(Reason.UNREACHABLE);
        assertThat(pair.service.cancelled()).isEqualTo(10);
        assertThat(pair.allowance.taken()).isZero();
    }

    /** Taken out of the ring before it was looked at, its call would not have ended at all. */
    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 99, 1000, Integer.MAX_VALUE})
    void replyWhoseStatusIsNoneEndsTheConnectionAndItsCall(int status) {
        FramePair pair = FramePair.greeted();
        var answer = pair.call("key");
        pair.caller.runPendingTasks();

        pair.toCaller(reply(1, status));

        assertThat(reasonOf(answer)).isEqualTo(Reason.UNREACHABLE);
        assertThat(pair.count("kvorum.frames.malformed")).isOne();
    }

    @ParameterizedTest
    @EnumSource(names = {"HELLO", "CALL", "CANCEL", "PING"})
    void whatOnlyCallersSendIsMalformedFromAServer(FrameType type) {
        FramePair pair = FramePair.greeted();

        pair.toCaller(RawFrames.frame(type, 1, 0, new byte[0]));

        assertThat(pair.caller.isOpen()).isFalse();
        assertThat(pair.count("kvorum.frames.malformed")).isOne();
    }

    @Test
    void heartbeatsKeepAQuietConnectionOpen() {
        FramePair pair = FramePair.greeted();

        for (int i = 0; i < 3000; i++) {
            pair.tick();
        }

        assertThat(pair.caller.isOpen()).isTrue();
        assertThat(pair.server.isOpen()).isTrue();
    }

    /** Its loop comes by twice a second: the peer, whose loop is not as busy, hears a beat in time all the same. */
    @Test
    void beatsOfABusyLoopAreInTime() {
        FramePair pair = FramePair.greeted();

        for (int half = 0; half < 20; half++) {
            FramePair.stall(pair.caller, 500);
            FramePair.pass(pair.server, 500);
            pair.settle();
        }

        assertThat(pair.server.isOpen()).isTrue();
        assertThat(pair.count("kvorum.frames.silent")).isZero();
    }

    @Test
    void afterAStallOneBeatIsDueAndNobodyIsGivenUp() {
        FramePair pair = FramePair.greeted();
        var _ = FramePair.sentBy(pair.caller);

        FramePair.stall(pair.caller, 60_000);

        assertThat(FramePair.sentBy(pair.caller).stream().map(RawFrames.Seen::type))
                .containsExactly(FrameType.PING);
        assertThat(pair.caller.isOpen()).isTrue();
    }

    @Test
    void silentServerIsGivenUp() {
        FramePair pair = FramePair.greeted();
        var answer = pair.call("key");

        FramePair.pass(pair.caller, 5000);

        assertThat(pair.caller.isOpen()).isFalse();
        assertThat(reasonOf(answer)).isEqualTo(Reason.UNREACHABLE);
        assertThat(pair.count("kvorum.frames.silent")).isOne();
    }

    /** It would be owed ever more: calls that are late leave the ring, but not what waits to be sent. */
    @Test
    void serverThatTalksButTakesNothingIsGivenUp() {
        FramePair pair = FramePair.greeted();
        FramePair.setTaking(pair.caller, false);
        pair.caller
                .unsafe()
                .outboundBuffer()
                .addMessage(pair.caller.alloc().buffer().writeZero(100), 100, pair.caller.newPromise());

        for (int second = 0; second < 6; second++) {
            FramePair.pass(pair.caller, 1000);
            if (pair.caller.isOpen()) {
                pair.toCaller(RawFrames.frame(FrameType.PONG, 0, 0, new byte[0]));
            }
        }

        assertThat(pair.caller.isOpen()).isFalse();
    }
}
