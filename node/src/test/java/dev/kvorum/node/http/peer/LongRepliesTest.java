package dev.kvorum.node.http.peer;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.HeldLoop;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.FrameService.Reply;
import dev.kvorum.node.frame.PeerDoor;
import dev.kvorum.node.http.AnswerLimits;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.http.PortLimits;
import dev.kvorum.node.http.PortLimits.Port;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.netty.resources.LoopResources;

/** Long replies over HTTP take room from when they are decided until their callers have taken them. */
@Timeout(60)
class LongRepliesTest {
    private static final int LENGTH = 8 << 20; // More than the system buffers for a connection.
    private static final int ROOM = 4 * LENGTH + 10; // One address has half of it: two replies, and calls.
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String HEAD = "POST /call HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n";

    private final ByteBudget bodies = new ByteBudget(ROOM);
    private final Queue<MonoSink<Reply>> calls = new ConcurrentLinkedQueue<>();
    private final LoopResources loops = LoopResources.create("peers-port-test", 1, true);
    private final PeerServer server = server();

    private PeerServer server() {
        Deadlines deadlines = new Deadlines(System::nanoTime, () -> {});
        PeerHandler handler = new PeerHandler(
                (path, body) -> Mono.create(calls::add), null, new Body(1 << 20, bodies, PATIENCE, deadlines), null);
        FrameLimits limits = new FrameLimits(1 << 20, 256, ROOM, PATIENCE, PATIENCE, bodies);
        FrameMetrics metrics = new FrameMetrics(new SimpleMeterRegistry());
        PeerDoor door = new PeerDoor(List.of(), (path, body) -> Mono.never(), null, limits, metrics);
        PeerPortLimits bounds = new PeerPortLimits(
                PortLimits.of(Port.PEERS, 1000, PATIENCE, PATIENCE, PATIENCE, new SimpleMeterRegistry()),
                AnswerLimits.of("peers", bodies, PATIENCE, new SimpleMeterRegistry()));
        return new PeerServer("127.0.0.1", 0, handler, door, loops, bounds);
    }

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
        loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block();
    }

    private Socket call(Socket socket) throws IOException {
        socket.getOutputStream().write((HEAD + "k").getBytes(StandardCharsets.US_ASCII));
        eventually("the call is served", () -> calls.size() == 1);
        return socket;
    }

    private void reply() {
        calls.remove().success(new Reply(HttpStatus.OK, new byte[LENGTH]));
    }

    private void nothingIsTaken() {
        eventually("all room is given back", () -> bodies.taken() == 0);
    }

    @Test
    void replyDecidedByAnotherThreadHasItsRoomBeforeItIsWritten() throws IOException {
        try (Socket caller = call(new RawClient(server.port()).openNarrow())) {
            EventLoop loop = loops.onServer(true).next();
            try (HeldLoop _ = new HeldLoop(loop)) {
                reply();

                assertThat(bodies.taken()).isEqualTo(LENGTH);
            }
            assertThat(RawClient.exchange(caller, "", "")).startsWith("HTTP/1.1 200");
        }
        nothingIsTaken();
    }

    @Test
    void replyThatIsNotTakenKeepsItsRoomUntilItsConnectionEnds() throws IOException {
        try (Socket caller = call(new RawClient(server.port()).openNarrow())) {
            reply();

            assertThat(caller.getInputStream().read()).isEqualTo('H');
            assertThat(bodies.taken()).isEqualTo(LENGTH);
        }
        nothingIsTaken();
    }

    @Test
    void replyWithoutRoomIsRefusedAndKeepsItsConnection() throws IOException {
        try (Socket caller = call(new RawClient(server.port()).openNarrow())) {
            assertThat(bodies.take(ROOM - 1)).isTrue();
            reply();
            assertThat(RawClient.exchange(caller, "", "")).startsWith("HTTP/1.1 503");

            bodies.giveBack(ROOM - 1);
            call(caller);
            reply();

            assertThat(RawClient.exchange(caller, "", "")).startsWith("HTTP/1.1 200");
        }
        nothingIsTaken();
    }
}
