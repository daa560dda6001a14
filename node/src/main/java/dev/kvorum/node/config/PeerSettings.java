package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Calls to the other members.
 *
 * @param timeout how long one replica may take to answer, 10ms to 5m.
 * @param connectTimeout how long connecting to a member may take, 10ms to 1m.
 * @param bytesMax bytes of writes on their way to one member, 1MB to 1GB; what comes on top fails at once.
 * @param callsMax calls in flight over one connection, 2 to 65536, rounded down to a power of two; one more fails at once.
 * @param silenceMax how long a connection may be silent, though asked, before it is given up, 300ms to 5m.
 * @param connections connections to one member, 0 to 64; 0 takes one per event loop.
 */
@ConfigurationProperties("kvorum.peer")
public record PeerSettings(
        @DefaultValue("2s") Duration timeout,
        @DefaultValue("500ms") Duration connectTimeout,
        @DefaultValue("16MB") DataSize bytesMax,
        @DefaultValue("1024") int callsMax,
        @DefaultValue("3s") Duration silenceMax,
        @DefaultValue("0") int connections) {
    public PeerSettings {
        Require.range("kvorum.peer.timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(5));
        Require.range("kvorum.peer.connect-timeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        Require.range("kvorum.peer.bytes-max", bytesMax, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
        Require.range("kvorum.peer.calls-max", callsMax, 2, 1 << 16);
        Require.range("kvorum.peer.silence-max", silenceMax, Duration.ofMillis(300), Duration.ofMinutes(5));
        Require.range("kvorum.peer.connections", connections, 0, 64);
    }

    /** Connections to one member, with 0 resolved. */
    public int connections(HttpSettings http) {
        return connections == 0 ? http.loops() : connections;
    }
}
