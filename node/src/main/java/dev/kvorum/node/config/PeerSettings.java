package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Calls to the other members, and calls of theirs.
 *
 * @param timeout how long one replica may take to answer, 10ms to 5m.
 * @param connectTimeout how long connecting to a member may take, 10ms to 1m.
 * @param bytesMax bytes of writes on their way to one member, 1MB to 1GB; what comes on top fails at once.
 * @param callsMax calls in flight over one connection, 2 to 65536, rounded down to a power of two; one more fails at once.
 * @param silenceMax how long a connection may be silent, though asked, before it is given up, 300ms to 5m.
 * @param connections connections to one member, 0 to 64; 0 takes one per event loop.
 * @param connectionsMax connections of other members at a time, 0 or 16 to 1000000. 0 takes one per 128 KiB of heap, 16 to 10000, and at most
 *     a quarter of the files that RocksDB leaves. One address has the same share as with kvorum.http.connections-max.
 * @param bodies memory for the bodies of other members' calls and replies, 0 or 1MB to 64GB; 0 takes an eighth of the heap. Clients can't take
 *     it. A call beyond it is refused.
 */
@ConfigurationProperties("kvorum.peer")
public record PeerSettings(
        @DefaultValue("2s") Duration timeout,
        @DefaultValue("500ms") Duration connectTimeout,
        @DefaultValue("16MB") DataSize bytesMax,
        @DefaultValue("1024") int callsMax,
        @DefaultValue("3s") Duration silenceMax,
        @DefaultValue("0") int connections,
        @DefaultValue("0") int connectionsMax,
        @DefaultValue("0B") DataSize bodies) {
    public PeerSettings {
        Require.range("kvorum.peer.timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(5));
        Require.range("kvorum.peer.connect-timeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        Require.range("kvorum.peer.bytes-max", bytesMax, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
        Require.range("kvorum.peer.calls-max", callsMax, 2, 1 << 16);
        Require.range("kvorum.peer.silence-max", silenceMax, Duration.ofMillis(300), Duration.ofMinutes(5));
        Require.range("kvorum.peer.connections", connections, 0, 64);
        Require.zeroOrRange("kvorum.peer.connections-max", connectionsMax, 16, 1_000_000);
        Require.zeroOrRange("kvorum.peer.bodies", bodies, DataSize.ofMegabytes(1), DataSize.ofGigabytes(64));
    }

    /** Connections to one member, with 0 resolved. */
    public int connections(HttpSettings http) {
        return connections == 0 ? http.loops() : connections;
    }

    /** Connections of other members, with 0 resolved by the heap alone: {@link FileBudget} says how many there may be. */
    public int accepted() {
        return HeapShare.orPer(128 << 10, connectionsMax, 16, 10_000);
    }

    /** Memory for bodies of other members in bytes, with 0 resolved. */
    public long bodyBytes() {
        return HeapShare.orEighth(bodies);
    }

    /**
     * Values could else be stored that no read has room for.
     *
     * @throws ContradictorySettingsException if the longest value is too long for the memory for bodies
     */
    public void requireRoomFor(DataSize valueMax) {
        DataSize max = HeapShare.valueMax(bodyBytes());
        if (valueMax.compareTo(max) > 0) {
            throw new ContradictorySettingsException("kvorum.http.value-max is " + valueMax + ", but must be at most "
                    + max + ", " + HeapShare.thirdOf("kvorum.peer.bodies") + " (an eighth of the heap, unless set)");
        }
    }
}
