package dev.kvorum.node.frame;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.frame.FramePair.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Ports;
import dev.kvorum.node.frame.CallFailedException.Reason;
import dev.kvorum.node.http.ByteBudget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.netty.Connection;
import reactor.netty.tcp.TcpClient;

/** The way to one peer over real sockets of this machine. */
@Timeout(60)
class PeerLinkTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    // A connection that lives for longer than a second counts as one that has worked.
    private static final Duration LASTING = Duration.ofMillis(1200);
    private static final Greeting ANYBODY = new Greeting(PeerIdentity.ofNoMember(null), "");
    private static final FrameLimits LIMITS =
            new FrameLimits(1000, 8, 1000, Duration.ofSeconds(2), Duration.ofSeconds(3), new ByteBudget(1000));

    private final FrameServer server = new FrameServer("demo");
    private final List<List<Long>> pauses = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        server.close();
    }

    /** Always the shortest pause, and notes between which bounds it was asked for. */
    private final class Shortest implements RandomGenerator {
        @Override
        public long nextLong() {
            return 0;
        }

        @Override
        public long nextLong(long origin, long bound) {
            pauses.add(List.of(origin, bound));
            return origin;
        }
    }

    private static CompletableFuture<ClientHttpResponse> call(PeerLink link) {
        return FramePair.callOver(link, 1, new byte[] {1}, (int) LONG.toMillis());
    }

    @Test
    void callThatComesBeforeTheFirstConnectionWaitsForIt() {
        PeerLink link = server.linkTo(server.port(), LONG, new Random(1)).open();

        assertThat(link.refusal()).as("waiting or connected").isNull();
        assertThat(call(link).join().getStatusCode()).isEqualTo(HttpStatus.OK);
        assertThat(link.refusal()).isNull();
        link.close();
        eventually("it is connected no more", () -> !link.isReady());
        assertThat(link.refusal()).isNotNull();
    }

    /** Between looking for a connection and waiting for one, it may come. */
    @Test
    void noCallIsLostWhileTheConnectionComes() {
        for (int i = 0; i < 100; i++) {
            PeerLink link = server.linkTo(server.port(), LONG, new Random(1)).open();
            List<CompletableFuture<ClientHttpResponse>> answers = new CopyOnWriteArrayList<>();
            while (!link.isReady() && answers.size() < 200) {
                answers.add(call(link));
            }

            assertThat(answers).allMatch(answer -> answer.join().getStatusCode() == HttpStatus.OK);
            link.close();
        }
    }

    @Test
    void pausesDoubleUpToHalfASecondAndHalfOfEachIsChance() {
        PeerLink link = server.linkTo(Ports.free(), LONG, new Shortest()).open();

        eventually("eight attempts have failed", () -> pauses.size() >= 8);
        link.close();

        assertThat(pauses.subList(0, 8))
                .containsExactly(
                        List.of(10L, 20L),
                        List.of(20L, 40L),
                        List.of(40L, 80L),
                        List.of(80L, 160L),
                        List.of(160L, 320L),
                        List.of(250L, 500L),
                        List.of(250L, 500L),
                        List.of(250L, 500L));
    }

    @Test
    void callFailsAtOnceWhileThePeerIsDown() {
        PeerLink link = server.linkTo(Ports.free(), LONG, new Shortest()).open();
        eventually("the first attempt has failed", () -> !pauses.isEmpty());

        CompletableFuture<ClientHttpResponse> answer = call(link);

        assertThat(answer).isDone();
        assertThat(failureOf(answer).reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(link.refusal()).usingRecursiveComparison().isEqualTo(failureOf(answer));
        link.close();
    }

    /** It would pause for an hour otherwise. */
    @Test
    void peerThatSaysItIsThereIsConnectedToSoon() {
        int port = Ports.free();
        AtomicInteger failed = new AtomicInteger();
        PeerLink link = server.linkTo(port, LONG, hourly(failed)).open();
        eventually("the first attempt has failed", () -> failed.get() == 1);
        server.stop();
        server.restart(port);

        link.hurry();

        eventually("it is connected", link::isReady);
        link.hurry(); // Now there is nothing to do.
        assertThat(call(link).join().getStatusCode()).isEqualTo(HttpStatus.OK);
        link.close();
    }

    @Test
    void howeverOftenItIsSaidThatAPeerIsThereAttemptsAreTenMillisecondsApart() {
        EmbeddedChannel channel = frozen();
        AtomicInteger failed = new AtomicInteger();
        TcpClient refused = connecting(() -> Mono.error(new ConnectException("refused")));
        PeerLink link = linkOn(channel, refused, hourly(failed)).open();
        channel.runPendingTasks();
        assertThat(failed).hasValue(1);

        for (int millis = 0; millis < 30; millis++) {
            link.hurry();
            link.hurry();
            channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
        assertThat(failed).hasValue(4);

        link.hurry();
        link.close();
        link.hurry();
        channel.advanceTimeBy(2, TimeUnit.HOURS);
        channel.runScheduledPendingTasks();
        assertThat(failed).hasValue(4);
    }

    /** It may have begun before the peer was there. */
    @Test
    void afterAnAttemptDuringWhichItIsSaidThatThePeerIsThereThePauseIsShort() {
        EmbeddedChannel channel = frozen();
        AtomicInteger pauses = new AtomicInteger();
        Queue<MonoSink<Connection>> attempts = new ArrayDeque<>();
        PeerLink link = linkOn(channel, attempting(attempts), hourly(pauses)).open();
        channel.runPendingTasks();

        link.hurry();
        attempts.remove().error(new ConnectException("timed out"));
        assertThat(attempts).isEmpty();
        channel.advanceTimeBy(10, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertThat(attempts).hasSize(1);

        attempts.remove().error(new ConnectException("timed out"));
        assertThat(pauses).as("once only").hasValue(1);
        link.close();
    }

    @Test
    void whereConnectingHasFailedScoutsTryFirst() {
        EmbeddedChannel channel = frozen();
        Queue<MonoSink<Connection>> calls = new ArrayDeque<>();
        Queue<MonoSink<Connection>> scouts = new ArrayDeque<>();
        PeerLink link = linkOn(
                        channel,
                        new PeerDialers(attempting(calls), List.of(), attempting(scouts), Runnable::run),
                        new Shortest())
                .open();
        channel.runPendingTasks();
        assertThat(scouts).as("nothing is known yet").isEmpty();

        calls.remove().error(new ConnectException("refused"));
        pass(channel);
        scouts.remove().error(new ConnectException("refused"));
        pass(channel);
        assertThat(calls).isEmpty();
        Connection heard = Connection.from(new EmbeddedChannel());
        scouts.remove().success(heard);
        channel.runPendingTasks();

        assertThat(heard.isDisposed()).isTrue();
        assertThat(calls).hasSize(1);
        calls.remove().success(Connection.from(new EmbeddedChannel()));
        link.down(Reason.UNREACHABLE, "it hung up", false);
        pass(channel);
        assertThat(calls).as("somebody listened").hasSize(1);
        assertThat(scouts).isEmpty();
        calls.remove().error(new ConnectException("refused"));
        pass(channel);
        scouts.remove().error(new ConnectException("refused"));
        link.hurry();
        pass(channel);
        assertThat(scouts).as("it says that it is there").isEmpty();
        calls.remove().error(new ConnectException("refused"));
        pass(channel);
        link.hurry();
        scouts.remove().error(new ConnectException("refused"));
        pass(channel);
        calls.remove().error(new ConnectException("refused"));
        pass(channel);
        assertThat(scouts).hasSize(1);

        link.close();
        scouts.remove().success(Connection.from(new EmbeddedChannel()));
        channel.runPendingTasks();
        assertThat(calls).as("it was closed meanwhile").isEmpty();
    }

    /** A connection lives on the loop of its link, and the lock of a link is taken there. */
    @Test
    void scoutsKeepToTheirLoopAndTheLinkToIts() {
        List<String> steps = new CopyOnWriteArrayList<>();
        EventLoop home = server.loop();
        try (ExecutorService scoutLoop = Executors.newSingleThreadExecutor(work -> new Thread(work, "scout"))) {
            TcpClient calls = failing("call", home, steps);
            AtomicInteger scouted = new AtomicInteger();
            TcpClient scouts = connecting(() -> {
                steps.add("scout on " + where(home));
                return scouted.incrementAndGet() == 1
                        ? Mono.error(new ConnectException("refused"))
                        : Mono.just(Connection.from(new EmbeddedChannel()));
            });
            RandomGenerator random = () -> {
                steps.add("pause on " + where(home));
                return 0;
            };
            PeerLink link = new PeerLink(
                            new PeerDialers(calls, List.of(), scouts, scoutLoop),
                            home,
                            ANYBODY,
                            LIMITS,
                            metrics(),
                            random)
                    .open();

            eventually("it was called twice", () -> steps.size() >= 7);
            link.close();
        }

        assertThat(steps.subList(0, 7))
                .containsExactly(
                        "call on home",
                        "pause on home",
                        "scout on scout",
                        "pause on home",
                        "scout on scout",
                        "call on home",
                        "pause on home");
    }

    private static String where(EventLoop home) {
        return home.inEventLoop() ? "home" : Thread.currentThread().getName();
    }

    private static TcpClient failing(String step, EventLoop home, List<String> steps) {
        return connecting(() -> {
            steps.add(step + " on " + where(home));
            return Mono.error(new ConnectException("refused"));
        });
    }

    @Test
    void whatIsHeardTwiceOfAConnectionIsFollowedByOneAttempt() {
        EmbeddedChannel channel = frozen();
        Queue<MonoSink<Connection>> attempts = new ArrayDeque<>();
        PeerLink link = linkOn(channel, attempting(attempts), new Shortest()).open();
        channel.runPendingTasks();
        attempts.remove().success(Connection.from(new EmbeddedChannel()));
        link.down(Reason.UNREACHABLE, "it hung up", false);
        link.down(Reason.UNREACHABLE, "it hung up", false);
        pass(channel);

        assertThat(attempts).hasSize(1);
        link.close();
    }

    /** Reactor throws what it takes for fatal, as that the system gives no further thread. */
    @Test
    void attemptThatThrowsIsFollowedByAnotherAllTheSame() {
        EmbeddedChannel channel = frozen();
        AtomicInteger thrown = new AtomicInteger();
        TcpClient throwing = connecting(() -> {
            thrown.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
        });
        PeerLink link = linkOn(channel, throwing, new Shortest()).open();
        channel.runPendingTasks();
        pass(channel);

        assertThat(thrown).hasValueGreaterThan(1);
        assertThat(link.refusal()).hasMessage("the call failed; the coordinator's log says why");
        Executor ended = attempt -> {
            throw new RejectedExecutionException("it has ended");
        };
        PeerLink without = linkOn(channel, new PeerDialers(throwing, List.of(), throwing, ended), new Shortest())
                .open();
        channel.runPendingTasks();
        pass(channel);
        assertThat(without.refusal()).hasMessage("the call failed; the coordinator's log says why");
        link.close();
        without.close();
    }

    /** Its channel is not left open either. */
    @Test
    void greetingThatThrowsIsFollowedByAnotherAttempt() {
        EmbeddedChannel channel = frozen();
        Queue<MonoSink<Connection>> attempts = new ArrayDeque<>();
        PeerLink link = linkOn(channel, attempting(attempts), new Shortest()).open();
        channel.runPendingTasks();
        EmbeddedChannel strange = new EmbeddedChannel(); // Frames would go before a handler that it has not got.
        attempts.remove().success(Connection.from(strange));
        strange.runPendingTasks();

        assertThat(strange.isOpen()).isFalse();
        assertThat(link.refusal()).hasMessage("the call failed; the coordinator's log says why");
        pass(channel);
        assertThat(attempts).hasSize(1);
        link.close();
    }

    /** Whose time passes only when it is told to. */
    private static EmbeddedChannel frozen() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        return channel;
    }

    /** A client whose every attempt is that. */
    private static TcpClient connecting(Supplier<Mono<Connection>> attempt) {
        return TcpClient.create((config, observer, remote, resolver) -> attempt.get())
                .host("127.0.0.1")
                .port(1);
    }

    private static TcpClient attempting(Queue<MonoSink<Connection>> attempts) {
        return connecting(() -> Mono.create(attempts::add));
    }

    /** The longest pause. */
    private static void pass(EmbeddedChannel channel) {
        channel.advanceTimeBy(500, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    /** Each pause is an hour; counts them. */
    private static RandomGenerator hourly(AtomicInteger pauses) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                return 0;
            }

            @Override
            public long nextLong(long origin, long bound) {
                pauses.incrementAndGet();
                return TimeUnit.HOURS.toMillis(1);
            }
        };
    }

    @Test
    void connectionThatIsLostIsMadeAgain() {
        PeerLink link = server.linkTo(server.port(), LONG, new Shortest()).open();
        var _ = call(link).join();
        int port = server.port();

        server.stop();
        eventually("the connection is lost", () -> !link.isReady());
        assertThat(failureOf(call(link)).reason()).isEqualTo(Reason.UNREACHABLE);
        server.restart(port);

        eventually("it is there again", link::isReady);
        assertThat(call(link).join().getStatusCode()).isEqualTo(HttpStatus.OK);
        link.close();
    }

    /** One that greets and hangs up at once, again and again, is not called ever more often. */
    @Test
    void connectionsThatEndAtOnceCountAsFailures() throws Exception {
        byte[] welcome = RawFrames.welcome(3, "n1");
        try (ServerSocket hostile = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            PeerLink link =
                    server.linkTo(hostile.getLocalPort(), LONG, new Shortest()).open();
            for (int i = 0; i < 4; i++) {
                try (Socket socket = hostile.accept()) {
                    socket.getInputStream().readNBytes(Frame.LENGTH_BYTES);
                    socket.getOutputStream().write(welcome);
                }
            }
            eventually("four connections have ended", () -> pauses.size() >= 4);
            link.close();
        }

        assertThat(pauses.subList(0, 4))
                .containsExactly(List.of(10L, 20L), List.of(20L, 40L), List.of(40L, 80L), List.of(80L, 160L));
    }

    /** A frozen process can be connected to: its system does that for it. */
    @Test
    void callsDoNotWaitForTheNextConnectionToOneThatWasSilent() throws Exception {
        byte[] welcome = RawFrames.welcome(3, "n1");
        try (ServerSocket frozen = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            PeerLink link = server.linkTo(frozen.getLocalPort(), LONG, LASTING, new Shortest())
                    .open();
            try (Socket first = frozen.accept()) {
                first.getInputStream().readNBytes(Frame.LENGTH_BYTES);
                first.getOutputStream().write(welcome);
                eventually("it has greeted", link::isReady);
                CompletableFuture<ClientHttpResponse> unanswered = call(link);

                assertThat(failureOf(unanswered)).hasMessageContaining("silent");
                try (Socket second = frozen.accept()) { // It is connected again, and not greeted.
                    assertThat(second.isConnected()).isTrue();
                    CompletableFuture<ClientHttpResponse> another = call(link);

                    assertThat(another).isDone();
                    assertThat(failureOf(another)).hasMessageContaining("silent");
                }
            }
            link.close();
        }
    }

    @Test
    void memberOfAnotherClusterIsTriedAgainWithPausesAndItsReasonIsTold() {
        try (FrameServer other = new FrameServer("other")) {
            PeerLink link = server.linkTo(other.port(), LONG, new Shortest()).open();
            CompletableFuture<ClientHttpResponse> early = call(link);

            CallFailedException failure = failureOf(early);
            eventually("it was tried again", () -> pauses.size() >= 2);
            link.close();

            assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
            assertThat(failure).hasMessageContaining("cluster \"other\"");
        }
    }

    @Test
    void serverThatDoesNotGreetFailsThoseThatWaitAndIsTriedAgain() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            PeerLink link = server.linkTo(silent.getLocalPort(), Duration.ofMillis(200), new Shortest())
                    .open();
            CompletableFuture<ClientHttpResponse> answer = call(link);

            try (Socket first = silent.accept();
                    Socket second = silent.accept()) {
                assertThat(first.isConnected() && second.isConnected()).isTrue();
                assertThat(failureOf(answer).reason()).isIn(Reason.TIMED_OUT, Reason.UNREACHABLE);
            }
            link.close();
        }
    }

    @Test
    void closedLinkEndsItsConnectionAndMakesNoOther() {
        PeerLink link = server.linkTo(server.port(), LONG, new Shortest()).open();
        var _ = call(link).join();

        link.close();

        eventually("the connection has ended", () -> !link.isReady());
        assertThat(failureOf(call(link)).reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(pauses).hasSizeLessThanOrEqualTo(1);
    }

    /** A member that leaves while it is being called for the first time. */
    @Test
    void callThatWaitsFailsWhenTheLinkIsClosedBeforeItsFirstAttempt() {
        PeerLink link = server.linkTo(server.port(), LONG, new Shortest()); // Not opened.
        CompletableFuture<ClientHttpResponse> waiting = call(link);

        link.close();
        link.open();

        assertThat(waiting).isDone();
        assertThat(failureOf(call(link)).reason()).isEqualTo(Reason.UNREACHABLE);
    }

    @Test
    void noCallWaitsForAConnectionLongerThanForAReply() {
        EmbeddedChannel channel = frozen();
        TcpClient hanging = connecting(() -> Mono.never());
        PeerLink link = linkOn(channel, hanging, new Shortest()).open();
        CompletableFuture<ClientHttpResponse> waiting = call(link);
        channel.runPendingTasks();

        channel.advanceTimeBy(1999, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertThat(waiting).isNotDone();
        channel.advanceTimeBy(2, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();

        assertThat(waiting).isDone();
        assertThat(failureOf(waiting).reason()).isEqualTo(Reason.TIMED_OUT);
    }

    private static PeerLink linkOn(EmbeddedChannel channel, TcpClient client, RandomGenerator random) {
        return linkOn(channel, new PeerDialers(client, List.of(), client, Runnable::run), random);
    }

    private static PeerLink linkOn(EmbeddedChannel channel, PeerDialers dialers, RandomGenerator random) {
        return new PeerLink(dialers, channel.eventLoop(), ANYBODY, LIMITS, metrics(), random);
    }

    private static FrameMetrics metrics() {
        return new FrameMetrics(new SimpleMeterRegistry());
    }
}
