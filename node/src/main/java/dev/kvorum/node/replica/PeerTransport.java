package dev.kvorum.node.replica;

import dev.kvorum.node.config.PeerSettings;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/** Makes the WebClients that reach the other members: HTTP/1.1 over a bounded pool of connections to each. */
public final class PeerTransport implements AutoCloseable {
    private static final Duration IDLE_MAX = Duration.ofSeconds(60);

    private final ConnectionProvider connections;
    private final HttpClient http;
    private final @Nullable String cluster;

    /** @param loops the event loops shared with the servers, so that an answer stays where it arrives */
    public PeerTransport(PeerSettings settings, LoopResources loops, @Nullable String cluster) {
        this.cluster = cluster;
        this.connections = ConnectionProvider.builder("kvorum-peers")
                .maxConnections(settings.connectionsMax())
                .pendingAcquireMaxCount(settings.waitingMax())
                .pendingAcquireTimeout(settings.timeout())
                .maxIdleTime(IDLE_MAX)
                .metrics(true)
                .build();
        this.http = HttpClient.create(connections).runOn(loops).option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                settings.connectTimeout().toMillis());
    }

    /** A client for calls to any member. */
    WebClient client() {
        WebClient.Builder builder = WebClient.builder().clientConnector(new ReactorClientHttpConnector(http));
        Optional.ofNullable(cluster).ifPresent(name -> builder.defaultHeader(PeerProtocol.CLUSTER, name));
        return builder.build();
    }

    /** Closes all connections. */
    @Override
    public void close() {
        connections.disposeLater().block();
    }
}
