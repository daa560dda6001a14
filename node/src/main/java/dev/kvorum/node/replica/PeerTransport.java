package dev.kvorum.node.replica;

import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.frame.FrameConnector;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.PeerDialers;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.topology.Member;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.scheduler.Schedulers;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;
import reactor.netty.transport.NameResolverProvider.NameResolverSpec;

/** Makes the WebClient that reaches the other members, over frames. */
public final class PeerTransport implements Peers, AutoCloseable {
    private static final Duration SCOUTS_END = Duration.ofSeconds(1);
    private static final Duration NAME_FRESH = Duration.ofSeconds(5); // Also where its server allows for more.

    private static final HostsFile HOSTS = HostsFile.ofSystem(Schedulers.boundedElastic()::schedule);

    private final LoopResources loops;
    private final LoopResources scouts = LoopResources.create("kvorum-scout", 1, true);
    private final FrameConnector frames;
    private final PeerClient client;

    /**
     * @param loops the event loops shared with the servers: their number does not grow with that of the peers
     * @param connections to one peer
     * @param self who calls
     */
    public PeerTransport(
            PeerSettings settings,
            FrameLimits limits,
            FrameMetrics metrics,
            LoopResources loops,
            int connections,
            PeerIdentity self) {
        this.loops = loops;
        this.frames = frames(tcp(settings.connectTimeout()), limits, connections, metrics, self);
        this.client = new PeerClient(WebClient.builder().clientConnector(frames).build(), frames::refusal);
        metrics.watch(frames);
    }

    /** Makes all connections to members. */
    static TcpClient tcp(Duration connectTimeout) {
        return TcpClient.create(ConnectionProvider.newConnection())
                .resolver(PeerTransport::freshNames)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectTimeout.toMillis());
    }

    private FrameConnector frames(
            TcpClient tcp, FrameLimits limits, int connections, FrameMetrics metrics, PeerIdentity self) {
        TcpClient counted = tcp.runOn(loops).doOnConnected(connection -> metrics.opened());
        List<EventLoop> homes =
                Stream.generate(loops.onClient(true)::next).limit(connections).toList();
        PeerDialers dialers = PeerDialers.of(counted, homes, tcp.runOn(scouts), scouts);
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong(); // Any thread may ask it.
        return new FrameConnector(dialers, PeerOperation::codeOf, self, limits, metrics, random);
    }

    /** Names are looked up for each connection that is made: seldom enough to ask anew. */
    private static void freshNames(NameResolverSpec names) {
        names.hostsFileEntriesResolver(HOSTS).cacheMaxTimeToLive(NAME_FRESH);
    }

    @Override
    public PeerClient client() {
        return client;
    }

    @Override
    public void become(Collection<Member> members) {
        frames.become(members.stream().collect(Collectors.toMap(Member::peer, Member::id)));
    }

    @Override
    public void hurry(URI member) {
        frames.hurry(member);
    }

    /** Whether a member to which a call has just failed is down or out of reach, not merely late to be connected. Any thread. */
    public boolean isMissing(URI member) {
        return frames.isMissing(member);
    }

    /** Closes all connections. Blocks. */
    @Override
    public void close() {
        frames.close();
        scouts.disposeLater(Duration.ZERO, SCOUTS_END).block();
    }
}
