package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The bytes of a long answer are counted once, from its decision to the end of its write, whatever comes between. */
class AnswerGuardTest {
    private static final int LENGTH = 10_000;
    private static final Duration TAKE_MAX = Duration.ofSeconds(30);

    private final ByteBudget budget = new ByteBudget(3 * LENGTH);
    private final EmbeddedChannel connection = guarded(budget);

    private static EmbeddedChannel guarded(ByteBudget budget) {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpServerCodec());
        AnswerGuard.install(channel, AnswerLimits.of("clients", budget, TAKE_MAX, new SimpleMeterRegistry()));
        return channel;
    }

    private void decide() {
        AnswerGuard.of(connection).require("here", LENGTH);
    }

    private static FullHttpResponse answer(HttpResponseStatus status, int length) {
        FullHttpResponse answer =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(new byte[length]));
        HttpUtil.setContentLength(answer, length);
        return answer;
    }

    private static FullHttpResponse value() {
        return answer(HttpResponseStatus.OK, LENGTH);
    }

    @Test
    void decidedAnswerTakesRoomOnceUntilItsWriteEnds() {
        decide();
        assertThat(budget.taken()).isEqualTo(LENGTH);

        var _ = connection.write(value());
        assertThat(budget.taken()).isEqualTo(LENGTH);

        connection.flush();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void answerInPiecesTakesItsRoomUntilTheLastIsWritten() {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpUtil.setContentLength(head, LENGTH);
        decide();

        connection.writeOutbound(head, new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[LENGTH])));
        assertThat(budget.taken()).isEqualTo(LENGTH);

        connection.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
        assertThat(budget.taken()).isZero();
    }

    @Test
    void answerInPlaceOfTheDecidedOneGivesItsRoomBack() {
        decide();

        connection.writeOutbound(answer(HttpResponseStatus.INTERNAL_SERVER_ERROR, 0));

        assertThat(budget.taken()).isZero();
    }

    @Test
    void goAheadToSendABodyIsNotTheAnswer() {
        connection.pipeline().fireChannelRead(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        decide();

        connection.writeOutbound(answer(HttpResponseStatus.CONTINUE, 0));
        assertThat(budget.taken()).isEqualTo(LENGTH);

        connection.writeOutbound(value());
        assertThat(budget.taken()).isZero();
    }

    @Test
    void answerDecidedWhileAnotherIsWrittenHasRoomOfItsOwn() {
        decide();
        var _ = connection.write(value());
        decide();
        assertThat(budget.taken()).isEqualTo(2 * LENGTH);

        connection.flush();
        assertThat(budget.taken()).isEqualTo(LENGTH);

        connection.writeOutbound(value());
        assertThat(budget.taken()).isZero();
    }

    @Test
    void answerWhoseWriteFailsGivesItsRoomBack() {
        decide();
        var _ = connection.write(value());

        connection.close().syncUninterruptibly();

        assertThat(budget.taken()).isZero();
    }

    @Test
    void connectionThatEndsBeforeTheWriteGivesTheRoomBack() {
        decide();

        connection.close().syncUninterruptibly();
        assertThat(budget.taken()).isZero();

        assertThat(connection.write(value()).awaitUninterruptibly().isSuccess()).isFalse();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void answerDecidedAfterTheEndOfItsConnectionTakesNoRoom() {
        connection.close().syncUninterruptibly();

        decide();

        assertThat(budget.taken()).isZero();
    }

    @Test
    void answerWithoutRoomIsRefusedAndTakesNone() {
        assertThat(budget.take(2 * LENGTH + 1)).isTrue();

        assertThatThrownBy(this::decide).isInstanceOf(RefusedRequestException.class);
        connection.writeOutbound(answer(HttpResponseStatus.SERVICE_UNAVAILABLE, 100));

        assertThat(budget.taken()).isEqualTo(2 * LENGTH + 1);
    }

    @Test
    void writeThatNobodyFollowsGivesTheRoomBackAsWell() {
        decide();

        var _ = connection.writeAndFlush(value(), connection.voidPromise());

        assertThat(budget.taken()).isZero();
    }

    private void passes(Duration time) {
        connection.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        connection.runScheduledPendingTasks();
    }

    @Test
    void answerThatIsNotTakenInTimeEndsItsConnection() {
        connection.freezeTime();
        decide();
        passes(TAKE_MAX); // Its time begins when it is written.
        var _ = connection.write(value());

        passes(TAKE_MAX.minusMillis(1));
        assertThat(connection.isOpen()).isTrue();
        assertThat(budget.taken()).isEqualTo(LENGTH);

        passes(Duration.ofMillis(1));
        assertThat(connection.isOpen()).isFalse();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void connectionThatTakesItsAnswersStaysOpen() {
        connection.freezeTime();
        for (int i = 0; i < 10; i++) {
            decide();
            var _ = connection.write(value());
            passes(TAKE_MAX.minusMillis(1));
            connection.flush();
        }

        passes(TAKE_MAX.multipliedBy(2));
        assertThat(connection.isOpen()).isTrue();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void timeOfAnAnswerBeginsAnewWithEachThatIsTaken() {
        connection.freezeTime();
        decide();
        connection.writeOutbound(value()); // Starts the timer.
        passes(TAKE_MAX.dividedBy(2));
        decide();
        var _ = connection.write(value());

        passes(TAKE_MAX.dividedBy(2));
        assertThat(connection.isOpen()).isTrue();

        passes(TAKE_MAX.dividedBy(2));
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void shortAnswerIsNotTimed() {
        connection.freezeTime();
        var _ = connection.write(answer(HttpResponseStatus.OK, 10));

        passes(TAKE_MAX.multipliedBy(2));

        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void answersDecidedWhileTheirConnectionsEndLeaveNoRoomTaken() throws Exception {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 1000; i++) {
                EmbeddedChannel ending = guarded(budget);
                AnswerGuard guard = AnswerGuard.of(ending);
                CyclicBarrier both = new CyclicBarrier(2);
                Future<?> decided = other.submit(() -> {
                    both.await();
                    guard.require("here", LENGTH);
                    return null;
                });
                both.await();
                ending.close().syncUninterruptibly();
                decided.get();

                assertThat(budget.taken()).as("after connection %d", i).isZero();
            }
        }
    }
}
