package dev.kvorum.node.replica;

import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.PeerSettings.Transport;
import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.frame.FrameConnector;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.PeerDialers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;
import reactor.netty.transport.NameResolverProvider.NameResolverSpec;

/** Makes the WebClient that reaches the other members, over the transport that the settings name. */
public final class PeerTransport implements AutoCloseable {
    private static final Duration IDLE_MAX = Duration.ofSeconds(60);
    private static final Duration SCOUTS_END = Duration.ofSeconds(1);
    private static final Duration NAME_FRESH = Duration.ofSeconds(5); // Also where its server allows for more.
    private static final StaleEventGuard STALE_EVENTS = new StaleEventGuard();

    private final PeerSettings settings;
    private final LoopResources loops;
    private final HostsFile hosts = HostsFile.ofSystem(Schedulers.boundedElastic()::schedule);
    private final @Nullable String cluster;
    private final Counter opened;
    private final ClientHttpConnector connector;
    private final Consumer<Collection<URI>> peers;
    private final Consumer<URI> hurry;
    private final Function<URI, @Nullable CallFailedException> refusal;
    private final Predicate<URI> missing;
    private final Runnable closing;

    /**
     * @param loops the event loops shared with the servers: their number does not grow with that of the peers
     * @param connections over frames and HTTP/2, to one peer
     */
    public PeerTransport(
            PeerSettings settings,
            FrameLimits limits,
            FrameMetrics metrics,
            LoopResources loops,
            int connections,
            @Nullable String cluster,
            MeterRegistry meters) {
        this.settings = settings;
        this.loops = loops;
        this.cluster = cluster;
        this.opened = Counter.builder("kvorum.peer.connections.opened")
                .description("Connections opened to other members")
                .tag("transport", settings.transport().name().toLowerCase(Locale.ROOT))
                .register(meters);
        switch (settings.transport()) {
            case FRAMES -> {
                LoopResources scouts = LoopResources.create("kvorum-scout", 1, true);
                FrameConnector frames = frames(limits, connections, metrics, scouts);
                Gauge.builder("kvorum.frames.calls.in.flight", frames, FrameConnector::inFlight)
                        .description("Calls to other members that wait for their reply")
                        .register(meters);
                Gauge.builder("kvorum.frames.connections", frames, FrameConnector::ready)
                        .description("Connections to other members that are good for calls")
                        .register(meters);
                this.connector = frames;
                this.peers = frames::become;
                this.hurry = frames::hurry;
                this.refusal = frames::refusal;
                this.missing = frames::isMissing;
                this.closing = () -> {
                    frames.close();
                    scouts.disposeLater(Duration.ZERO, SCOUTS_END).block();
                };
            }
            case HTTP1, HTTP2 -> {
                ConnectionProvider pool = pool(connections);
                this.connector = new HttpConnector(http(pool));
                this.peers = members -> {}; // A pool connects when a call needs it.
                this.hurry = member -> {};
                this.refusal = member -> null;
                this.missing = member -> true; // A call has just tried to connect.
                this.closing = () -> pool.disposeLater().block();
            }
            default -> throw new IllegalStateException("There is no transport " + settings.transport());
        }
    }

    private FrameConnector frames(FrameLimits limits, int connections, FrameMetrics metrics, LoopResources scouts) {
        TcpClient tcp = TcpClient.create(ConnectionProvider.newConnection())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis());
        TcpClient counted = tcp.runOn(loops).resolver(this::freshNames).doOnConnected(connection -> opened.increment());
        PeerDialers dialers = PeerDialers.of(counted, tcp.runOn(scouts).resolver(this::freshNames), scouts);
        List<EventLoop> homes =
                Stream.generate(loops.onClient(true)::next).limit(connections).toList();
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong(); // Any thread may ask it.
        return new FrameConnector(dialers, homes, PeerProtocol.OPERATIONS, cluster, limits, metrics, random);
    }

    private ConnectionProvider pool(int connections) {
        ConnectionProvider.Builder pool = ConnectionProvider.builder("kvorum-peers")
                .maxConnections(settings.connectionsMax())
                .pendingAcquireMaxCount(settings.waitingMax())
                .pendingAcquireTimeout(settings.timeout())
                .maxIdleTime(IDLE_MAX);
        if (settings.transport() == Transport.HTTP2) {
            pool.allocationStrategy(Http2AllocationStrategy.builder()
                    .maxConcurrentStreams(settings.callsMax())
                    .maxConnections(connections)
                    .build());
        }
        return pool.build();
    }

    private HttpClient http(ConnectionProvider pool) {
        boolean http2 = settings.transport() == Transport.HTTP2;
        return HttpClient.create(pool)
                .protocol(http2 ? HttpProtocol.H2C : HttpProtocol.HTTP11)
                .runOn(loops)
                .resolver(this::freshNames)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis())
                .responseTimeout(settings.timeout())
                .doOnChannelInit((observer, channel, remote) -> {
                    channel.pipeline().addFirst(STALE_EVENTS, new OpenedCount(opened));
                });
    }

    /** Names are looked up for each connection that is made: seldom enough to ask anew. */
    private void freshNames(NameResolverSpec names) {
        names.hostsFileEntriesResolver(hosts).cacheMaxTimeToLive(NAME_FRESH);
    }

    private int connectMillis() {
        return (int) settings.connectTimeout().toMillis();
    }

    /** A client for calls to any member. A call is answered or fails within the time that the settings give it. */
    public WebClient client() {
        WebClient.Builder builder = WebClient.builder().clientConnector(connector);
        if (cluster != null && settings.transport() != Transport.FRAMES) { // Frames say it once, in their greeting.
            builder.defaultHeader(PeerProtocol.CLUSTER, cluster);
        }
        return builder.build();
    }

    /** The same, for who calls a member also while it can't be reached. */
    public PeerClient peerClient() {
        return new PeerClient(client(), refusal);
    }

    /** From now on these are the peers: connections to others are closed, once calls that are on their way must have been answered. */
    public void become(Collection<URI> members) {
        peers.accept(members);
    }

    /** A member says that it is there: it is connected to soon, where a failure is being waited after. Any thread. */
    public void hurry(URI member) {
        hurry.accept(member);
    }

    /** Whether a member to which a call has just failed is down or out of reach, not merely late to be connected. Any thread. */
    public boolean isMissing(URI member) {
        return missing.test(member);
    }

    /** Closes all connections. Blocks. */
    @Override
    public void close() {
        closing.run();
    }
}
