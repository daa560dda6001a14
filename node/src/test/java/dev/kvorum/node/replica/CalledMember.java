package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.FrameService;
import dev.kvorum.node.frame.FrameService.Reply;
import dev.kvorum.node.frame.PeerDoor;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.http.PortLimits;
import dev.kvorum.node.http.PortLimits.Port;
import dev.kvorum.node.http.peer.PeerServer;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/** A member on loopback that answers calls as the test says, and the replica through which it is called. */
final class CalledMember implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int VALUE_MAX = 1 << 20;

    final ByteBudget memory = new ByteBudget(64 << 20);
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final RemoteReplica replica;
    private final LoopResources loops;
    private final PeerServer server;
    private final PeerTransport transport;
    private final URI address;

    /** Settings with one time for all that is waited for. */
    static PeerSettings settings(Duration timeout, int megabytes, int calls, int connections) {
        return Settings.of(PeerSettings.class)
                .with("timeout", timeout)
                .with("connectTimeout", timeout)
                .with("bytesMax", DataSize.ofMegabytes(megabytes))
                .with("callsMax", calls)
                .with("silenceMax", timeout)
                .with("connections", connections)
                .get();
    }

    /** @param answers the cell for the key of a read, and when it comes */
    CalledMember(int eventLoops, Function<String, Mono<Cell>> answers) {
        this.loops = LoopResources.create("called-member", eventLoops, true);
        int bodyMax = PeerProtocol.callMax(VALUE_MAX);
        PeerSettings settings = settings(TIMEOUT, 64, 4096, eventLoops);
        FrameLimits limits = new FrameLimits(
                bodyMax, settings.callsMax(), settings.bytesMax().toBytes(), TIMEOUT, TIMEOUT, memory);
        FrameMetrics metrics = new FrameMetrics(meters);
        this.server = server(limits, metrics, answers);
        server.start();
        Member member = member(server.port());
        this.address = member.peer();
        this.transport = new PeerTransport(settings, limits, metrics, loops, eventLoops, PeerIdentity.ofNoMember(null));
        this.transport.become(List.of(member));
        PeerAccess access = new PeerAccess(
                this.transport.client(), settings, bodyMax, NoExchange.of(Topologies.of(1, "n1", "n2")), epoch -> 0);
        this.replica = new RemoteReplica(member, access);
    }

    private PeerServer server(FrameLimits limits, FrameMetrics metrics, Function<String, Mono<Cell>> answers) {
        FrameService service = (operation, body) -> reply(body, answers);
        PeerDoor door = new PeerDoor(service, new PeerIdentity(null, "n2", new UUID(1, 2), 3), limits, metrics);
        PortLimits bounds =
                PortLimits.of(Port.PEERS, 1000, TIMEOUT, Duration.ofMinutes(1), TIMEOUT, new SimpleMeterRegistry());
        return new PeerServer("127.0.0.1", 0, door, loops, bounds);
    }

    private static Mono<Reply> reply(DataBuffer body, Function<String, Mono<Cell>> answers) {
        MessageReader in = MessageReader.of(body);
        var _ = PeerProtocol.decodeHead(in);
        String key = new String(in.rest(), StandardCharsets.UTF_8);
        return answers.apply(key)
                .map(cell -> cell.anew(Key.of(key), cell.version(), cell.copies()))
                .map(cell -> new Reply(HttpStatus.OK, cell.bytes()));
    }

    private static Member member(int port) {
        URI peer = URI.create("http://127.0.0.1:" + port);
        return new Member("n2", peer, peer, "zone", MemberState.ACTIVE, 1, null);
    }

    static Cell cell(int valueLength) {
        return Draft.ofValue(new byte[valueLength]).stamp(Key.of("any"), new Version(1, 1), 3);
    }

    Mono<ReadReply> read(String key) {
        return replica.read(Key.of(key), 1);
    }

    Mono<ReadReply> read(String key, Duration wait) {
        return replica.read(Key.of(key), 1, wait.toNanos());
    }

    /** From now on nobody listens where it was. */
    void stop() {
        server.stop();
    }

    /** Whether the transport knows that a write would fail, before one is made ready. */
    boolean isKnownToFail() {
        return transport.client().refusal().apply(address) != null;
    }

    /** Connections that were opened to it. */
    double opened() {
        return meters.get("kvorum.peer.connections.opened").functionCounter().count();
    }

    @Override
    public void close() {
        transport.close();
        server.stop();
        loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block();
    }
}
