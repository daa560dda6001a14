package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Calls to the other members.
 *
 * @param transport how this node calls other members: frames (many calls at a time over a few connections), http2 or http1 (both for
 *     comparison, and for looking at calls with any tool). Every node serves all of them.
 * @param timeout how long one replica may take to answer, 10ms to 5m.
 * @param connectTimeout how long connecting to a member may take, 10ms to 1m.
 * @param bytesMax bytes of writes on their way to one member, 1MB to 1GB; what comes on top fails at once.
 * @param callsMax frames and http2: calls in flight over one connection, 2 to 65536, rounded down to a power of two; one more fails at once.
 * @param silenceMax frames: how long a connection may be silent, though asked, before it is given up, 300ms to 5m.
 * @param connections frames and http2: connections to one member, 0 to 64; 0 takes one per event loop.
 * @param connectionsMax http1: connections to one member, 1 to 10000.
 * @param waitingMax http1 and http2: calls that may wait for a connection to one member, 1 to 100000; one more fails at once.
 */
@ConfigurationProperties("kvorum.peer")
public record PeerSettings(
        @DefaultValue("frames") Transport transport,
        @DefaultValue("2s") Duration timeout,
        @DefaultValue("500ms") Duration connectTimeout,
        @DefaultValue("16MB") DataSize bytesMax,
        @DefaultValue("1024") int callsMax,
        @DefaultValue("3s") Duration silenceMax,
        @DefaultValue("0") int connections,
        @DefaultValue("256") int connectionsMax,
        @DefaultValue("4096") int waitingMax) {
    /** How members call each other. */
    public enum Transport {
        FRAMES,
        HTTP2,
        HTTP1
    }

    public PeerSettings {
        Require.range("kvorum.peer.timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(5));
        Require.range("kvorum.peer.connect-timeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        Require.range("kvorum.peer.bytes-max", bytesMax, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
        Require.range("kvorum.peer.calls-max", callsMax, 2, 1 << 16);
        Require.range("kvorum.peer.silence-max", silenceMax, Duration.ofMillis(300), Duration.ofMinutes(5));
        Require.range("kvorum.peer.connections", connections, 0, 64);
        Require.range("kvorum.peer.connections-max", connectionsMax, 1, 10_000);
        Require.range("kvorum.peer.waiting-max", waitingMax, 1, 100_000);
    }

    /** Connections to one member over frames or HTTP/2, with 0 resolved. */
    public int connections(HttpSettings http) {
        return connections == 0 ? http.loops() : connections;
    }

    /** Connections to one member at most, whatever the transport. */
    int connectionsToOne(HttpSettings http) {
        return transport == Transport.HTTP1 ? connectionsMax : connections(http);
    }
}
