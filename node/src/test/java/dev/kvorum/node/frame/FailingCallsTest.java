package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.frame.CallFailedException.Reason;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.Mono;

/** How many calls fail between two looks of their event loop at its connections. */
class FailingCallsTest {
    private static final int CALLS = 100;
    private static final int PER_TURN = 16;
    private final CallFailedException gone = new CallFailedException(Reason.UNREACHABLE, "it has gone");

    private final List<Throwable> failures = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();

    private void make(int count) {
        for (int i = 0; i < count; i++) {
            var _ = Mono.<ClientHttpResponse>create(
                            sink -> calls.add(new Call(1, 1000, new byte[0], System::nanoTime, sink)))
                    .subscribe(response -> {}, failures::add);
        }
    }

    @Test
    void manyCallsFailAFewAtATimeAndTheLoopTurnsToItsConnectionsBetween() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        make(CALLS);

        FailingCalls.fail(channel.eventLoop(), calls, call -> gone);
        channel.runPendingTasks();
        assertThat(failures).hasSize(PER_TURN); // What is left is no task for now.

        for (int turn = 2; failures.size() < CALLS; turn++) {
            channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
            assertThat(failures).hasSize(Math.min(turn * PER_TURN, CALLS));
        }
        assertThat(failures).allMatch(failure -> failure == gone);
        var _ = channel.finish();
    }

    @Test
    void allCallsFailAtOnceOnALoopThatEnds() {
        EventLoop loop = new DefaultEventLoop();
        var _ = loop.shutdownGracefully(0, 10, TimeUnit.SECONDS);
        make(CALLS);

        FailingCalls.fail(loop, calls, call -> gone);

        assertThat(failures).hasSize(CALLS);
    }

    /** As where a node stops: its connections end first, and then their loops, which forget what is for later. */
    @Test
    void allCallsFailOnALoopThatEndsMeanwhile() throws Exception {
        EventLoop loop = new DefaultEventLoop();
        make(CALLS);

        var _ = loop.submit(() -> {
                    FailingCalls.fail(loop, calls, call -> gone);
                    var _ = loop.shutdownGracefully(0, 10, TimeUnit.SECONDS);
                })
                .sync();
        var _ = loop.terminationFuture().sync();

        assertThat(failures).hasSize(CALLS);
    }

    @Test
    void howeverManyFailTheLastIsToldSoon() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        make(5000);

        FailingCalls.fail(channel.eventLoop(), calls, call -> gone);
        for (int turn = 1; turn < 64; turn++) {
            channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }

        assertThat(failures).hasSize(5000);
        var _ = channel.finish();
    }

    @Test
    void aCallerThatThrowsKeepsNobodyFromHisAnswer() {
        EmbeddedChannel channel = new EmbeddedChannel();
        make(1);
        var _ = Mono.<ClientHttpResponse>create(
                        sink -> calls.add(0, new Call(1, 1000, new byte[0], System::nanoTime, sink)))
                .subscribe(response -> {}, failure -> {
                    throw new IllegalStateException("as the test says");
                });

        FailingCalls.fail(channel.eventLoop(), calls, call -> gone);

        assertThat(failures).containsExactly(gone);
        var _ = channel.finish();
    }
}
