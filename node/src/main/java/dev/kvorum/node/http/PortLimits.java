package dev.kvorum.node.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import java.time.Duration;
import java.util.function.Consumer;
import org.springframework.http.HttpStatus;
import reactor.netty.transport.ServerTransport;

/**
 * The limits that every port has: connections in all and by address, the time for the head of a request, the time between requests, and the time for which
 * sent bytes may stay unacknowledged.
 *
 * @param connections admits a connection, or closes it
 * @param head how long a head may take to arrive
 * @param idleMax how long a connection may wait between requests
 * @param sendMax how long the other side may leave sent bytes unacknowledged
 * @param metrics counts refused and closed connections
 */
public record PortLimits(
        ConnectionLimit connections, HeadLimit head, Duration idleMax, Duration sendMax, PortMetrics metrics) {
    /** The name of a port, and the meter that counts its connections. */
    public enum Port {
        CLIENTS("clients", "kvorum.http.connections", "clients"),
        PEERS("peers", "kvorum.peer.port.connections", "other members"),
        MANAGEMENT("management", "kvorum.management.connections", "the management port");

        private final String label;
        private final String gauge;
        private final String of;

        Port(String label, String gauge, String of) {
            this.label = label;
            this.gauge = gauge;
            this.of = of;
        }
    }

    public static PortLimits of(
            Port port, int connectionsMax, Duration headMax, Duration idleMax, Duration sendMax, MeterRegistry meters) {
        PortMetrics metrics = new PortMetrics(port.label, meters);
        ConnectionLimit connections =
                new ConnectionLimit(connectionsMax, port.gauge, port.of, port != Port.PEERS, metrics, meters);
        return new PortLimits(connections, HeadLimit.of(headMax), idleMax, sendMax, metrics);
    }

    /** How long a head may take to arrive. */
    public Duration headMax() {
        return head.max();
    }

    /** Lets the kernel end a connection whose other side takes no bytes, at no cost per request; where the system offers that (Linux). */
    public <T extends ServerTransport<T, ?>> T sendLimited(T server) {
        ChannelOption<Integer> option = EpollChannelOption.TCP_USER_TIMEOUT;
        return Epoll.isAvailable() ? server.childOption(option, (int) sendMax.toMillis()) : server;
    }

    /** Admits a new connection; false if it is being closed. On its event loop. */
    public boolean admit(Channel channel) {
        return connections.admit(channel);
    }

    /**
     * Guards a connection that speaks HTTP/1.1, allows half-closure and must keep the {@linkplain RequestOrder rules of HTTP}. On its event loop, when it has its
     * codec. Handlers that expect one request at a time, or write answers, are installed before.
     *
     * @param refused is told the status of each request that breaks the rules
     */
    public void guardHttp1(Channel channel, Consumer<HttpStatus> refused) {
        IdleGuard.install(channel, idleMax);
        RequestOrder.install(channel, refused); // Behind the guard of heads, which sees them as they arrive.
        SlowClientGuard.install(channel, head, metrics);
    }
}
