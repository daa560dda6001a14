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
 * @param connectionsMax connections to one member, 1 to 10000.
 * @param waitingMax calls that may wait for a connection to one member, 1 to 100000; one more fails at once.
 */
@ConfigurationProperties("kvorum.peer")
public record PeerSettings(
        @DefaultValue("2s") Duration timeout,
        @DefaultValue("500ms") Duration connectTimeout,
        @DefaultValue("16MB") DataSize bytesMax,
        @DefaultValue("256") int connectionsMax,
        @DefaultValue("4096") int waitingMax) {
    public PeerSettings {
        Require.range("kvorum.peer.timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(5));
        Require.range("kvorum.peer.connect-timeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        Require.range("kvorum.peer.bytes-max", bytesMax, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
        Require.range("kvorum.peer.connections-max", connectionsMax, 1, 10_000);
        Require.range("kvorum.peer.waiting-max", waitingMax, 1, 100_000);
    }
}
