package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The client port and its limits, some of which all ports have.
 *
 * @param valueMax longest value, 1B to 64MB. At most a third of kvorum.http.bodies and of kvorum.peer.bodies, less 2 KiB: a read holds the values of three
 *     replicas. A longer one is refused with 413. Not to be set below what is stored: longer values are not carried between members any more.
 * @param bodies memory for the bodies of clients' requests that arrive or are served, and of answers that they have not taken yet, 0 or
 *     1MB to 64GB; 0 takes an eighth of the heap. A request beyond it is refused with 503.
 * @param rateMin lowest rate of a body or an answer while memory for them is short, in bytes per second, 1B to 64MB. Slower ones end first.
 * @param eventLoops event loops that serve clients and peers, 0 to 64; 0 takes one per processor.
 * @param connectionsMax connections of clients at a time, 0 or 16 to 1000000; 0 takes one per 32 KiB of heap, 16 to 10000, but no more than the
 *     files that the process may open (ulimit -n) leave. Above three quarters of them one address may have at most half of all.
 * @param inFlightMax operations of clients under way at a time, 0 or 64 to 1048576, shared equally by the event loops; 0 takes one per
 *     MiB of heap, 64 to 1024. An event loop that is busy all the time takes no more than 64, and fewer are under way where answers are so long that a
 *     quarter of kvorum.http.bodies holds no more, but never fewer than 8.
 * @param burst how long an operation beyond those may wait before it is refused with 503, 5ms to 10s. While there have been too many for
 *     longer than that, one waits 5 ms, or as many as may be under way where the event loop is busy all the time.
 * @param idleTimeout how long a connection to any port may wait between requests, 1s to 1h. Longer by default than clients and proxies keep one (nginx and
 *     AWS 60 s, Go 90 s): a request that is sent at the moment at which the node closes its connection is lost.
 * @param headerTimeout how long the head of a request may take to arrive, and the first bytes of a member's connection, which tell what it speaks,
 *     100ms to 5m.
 * @param bodyTimeout how long the body of a request may take to arrive, 100ms to 10m.
 * @param answerTimeout how long a client may take for an answer of 4 KiB or more, 100ms to 1h; then its connection is closed. As with body-timeout, a longer value-max
 *     needs more of it where clients are far.
 * @param sendTimeout how long the other side, on any port, may leave sent bytes unacknowledged, 1s to 10m; where the system offers it (Linux).
 */
@ConfigurationProperties("kvorum.http")
public record HttpSettings(
        @DefaultValue("1MB") DataSize valueMax,
        @DefaultValue("0B") DataSize bodies,
        @DefaultValue("64KB") DataSize rateMin,
        @DefaultValue("0") int eventLoops,
        @DefaultValue("0") int connectionsMax,
        @DefaultValue("0") int inFlightMax,
        @DefaultValue("100ms") Duration burst,
        @DefaultValue("120s") Duration idleTimeout,
        @DefaultValue("10s") Duration headerTimeout,
        @DefaultValue("30s") Duration bodyTimeout,
        @DefaultValue("30s") Duration answerTimeout,
        @DefaultValue("30s") Duration sendTimeout) {
    public HttpSettings {
        Require.range("kvorum.http.value-max", valueMax, DataSize.ofBytes(1), DataSize.ofMegabytes(64));
        Require.zeroOrRange("kvorum.http.bodies", bodies, DataSize.ofMegabytes(1), DataSize.ofGigabytes(64));
        requireRoomForARead(valueMax, HeapShare.orEighth(bodies));
        Require.range("kvorum.http.rate-min", rateMin, DataSize.ofBytes(1), DataSize.ofMegabytes(64));
        Require.range("kvorum.http.event-loops", eventLoops, 0, 64);
        Require.zeroOrRange("kvorum.http.connections-max", connectionsMax, 16, 1_000_000);
        Require.zeroOrRange("kvorum.http.in-flight-max", inFlightMax, 64, 1 << 20);
        Require.range("kvorum.http.burst", burst, Duration.ofMillis(5), Duration.ofSeconds(10));
        Require.range("kvorum.http.idle-timeout", idleTimeout, Duration.ofSeconds(1), Duration.ofHours(1));
        Require.range("kvorum.http.header-timeout", headerTimeout, Duration.ofMillis(100), Duration.ofMinutes(5));
        Require.range("kvorum.http.body-timeout", bodyTimeout, Duration.ofMillis(100), Duration.ofMinutes(10));
        Require.range("kvorum.http.answer-timeout", answerTimeout, Duration.ofMillis(100), Duration.ofHours(1));
        Require.range("kvorum.http.send-timeout", sendTimeout, Duration.ofSeconds(1), Duration.ofMinutes(10));
    }

    /** Else values could be stored that no read has room for. */
    private static void requireRoomForARead(DataSize valueMax, long bytes) {
        String room = HeapShare.thirdOf("kvorum.http.bodies")
                + ": raise that, or the heap, of which it is an eighth unless set";
        Require.atMost("kvorum.http.value-max", valueMax, HeapShare.valueMax(bytes), room);
    }

    /** Memory for bodies of clients in bytes, with 0 resolved. */
    public long bodyBytes() {
        return HeapShare.orEighth(bodies);
    }

    /** The number of event loops, with 0 resolved. */
    public int loops() {
        return eventLoops == 0 ? Math.min(64, Runtime.getRuntime().availableProcessors()) : eventLoops;
    }

    /** The share of one event loop in the operations under way, at least 1: there are at most 64 loops. */
    public int inFlightPerLoop() {
        return HeapShare.orPer(1 << 20, inFlightMax, 64, 1024) / loops();
    }

    /** Connections of clients, with 0 resolved by the heap alone: {@link FileBudget} says how many there may be. */
    public int connections() {
        return HeapShare.orPer(32 << 10, connectionsMax, 16, 10_000);
    }
}
