package dev.kvorum.node.frame;

import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.http.PortLimits;
import dev.kvorum.node.http.PortLimits.Port;
import dev.kvorum.node.http.peer.PeerServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;

/** A peers' port on loopback that answers every call with the call's own body, and what is needed to call it. */
final class FrameServer implements AutoCloseable {
    static final String ECHO = "/echo";
    static final Duration REPLY_TIMEOUT = Duration.ofSeconds(10);

    static final int BODY_MAX = 1 << 20;
    final ByteBudget allowance = new ByteBudget(64 << 20);
    private final LoopResources loops = LoopResources.create("frame-test", 2, true);
    private final LoopResources scouts = LoopResources.create("frame-scout", 1, true);
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final FrameMetrics metrics = new FrameMetrics(meters);
    private final FrameLimits limits =
            new FrameLimits(BODY_MAX, 256, 8L << 20, REPLY_TIMEOUT, Duration.ofSeconds(30), allowance);
    private final @Nullable String cluster;
    private PeerServer server;

    FrameServer(@Nullable String cluster) {
        this.cluster = cluster;
        this.server = server(0);
        server.start();
    }

    private PeerServer server(int port) {
        PeerDoor door = new PeerDoor(FrameServer::echo, FramePair.self(cluster), limits, metrics);
        PortLimits bounds = PortLimits.of(
                Port.PEERS,
                1000,
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Duration.ofSeconds(30),
                new SimpleMeterRegistry());
        return new PeerServer("127.0.0.1", port, door, loops, bounds);
    }

    private static Mono<FrameService.Reply> echo(int operation, DataBuffer body) {
        byte[] bytes = new byte[body.readableByteCount()];
        body.read(bytes);
        return Mono.just(new FrameService.Reply(HttpStatus.OK, bytes));
    }

    int port() {
        return server.port();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** Closes the port and all its connections. */
    void stop() {
        server.stop();
    }

    /** Opens the port again. */
    void restart(int port) {
        server = server(port);
        server.start();
    }

    double malformed() {
        return meters.get("kvorum.frames.malformed").functionCounter().count();
    }

    TcpClient tcp() {
        return TcpClient.create(ConnectionProvider.newConnection()).runOn(loops);
    }

    private PeerDialers dialers(List<EventLoop> homes) {
        return PeerDialers.of(
                tcp(),
                homes,
                TcpClient.create(ConnectionProvider.newConnection()).runOn(scouts),
                scouts);
    }

    EventLoop loop() {
        return loops.onClient(true).next();
    }

    /** A caller whose own memory is bounded apart from the server's. */
    FrameConnector connector(@Nullable String callerCluster, ByteBudget memory) {
        return connector(callerCluster, memory, REPLY_TIMEOUT);
    }

    FrameConnector connector(@Nullable String callerCluster, ByteBudget memory, Duration replyTimeout) {
        List<EventLoop> homes =
                Stream.generate(loops.onClient(true)::next).limit(2).toList();
        FrameLimits own = new FrameLimits(
                BODY_MAX, limits.callsMax(), limits.bytesMax(), replyTimeout, limits.silenceMax(), memory);
        FrameConnector connector = new FrameConnector(
                dialers(homes),
                path -> path.equals(ECHO) ? 1 : 0,
                PeerIdentity.ofNoMember(callerCluster),
                own,
                new FrameMetrics(new SimpleMeterRegistry()),
                RandomGenerator.of("L64X128MixRandom"));
        connector.become(Map.of(uri(), "n1"));
        return connector;
    }

    /** The way to any port of this machine. */
    PeerLink linkTo(int port, Duration replyTimeout, RandomGenerator random) {
        return linkTo(port, replyTimeout, limits.silenceMax(), random);
    }

    PeerLink linkTo(int port, Duration replyTimeout, Duration silenceMax, RandomGenerator random) {
        FrameLimits own = new FrameLimits(BODY_MAX, 256, 8L << 20, replyTimeout, silenceMax, allowance);
        return new PeerLink(
                dialers(List.of()).to(URI.create("tcp://127.0.0.1:" + port)),
                loop(),
                new Greeting(PeerIdentity.ofNoMember("demo"), ""),
                own,
                metrics,
                random);
    }

    @Override
    public void close() {
        server.stop();
        scouts.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block();
        loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block();
    }
}
