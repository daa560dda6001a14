package dev.kvorum.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a port, as {@link ConnectionTable} sees it: whether the node waits for the other side, and since when. Its event loop writes the state, any
 * thread reads it.
 */
public final class Held {
    /** The state of a connection that the node serves, or that belongs to a member: it is not closed to make room. */
    static final long BUSY = Long.MAX_VALUE;

    private static final AttributeKey<Held> OF_CHANNEL = AttributeKey.valueOf(Held.class, "ofChannel");

    private final Channel channel;
    private final Object address;
    private final AtomicLong waitingSince;

    Held(Channel channel, Object address, long now) {
        this.channel = channel;
        this.address = address;
        this.waitingSince = new AtomicLong(now);
    }

    /** A new connection, which has said nothing yet. On its event loop. */
    static Held opened(Channel channel) {
        Held held = new Held(channel, addressOf(channel.remoteAddress()), now(channel));
        channel.attr(OF_CHANNEL).set(held);
        return held;
    }

    /** The state of that connection. One that no limit counts has a state all the same. On its event loop. */
    public static Held of(Channel channel) {
        Held held = channel.attr(OF_CHANNEL).get();
        return held == null ? opened(channel) : held;
    }

    /** All ports of a machine are one address. */
    static Object addressOf(@Nullable SocketAddress remote) {
        if (remote == null) {
            return "unknown"; // It is closed.
        }
        return remote instanceof InetSocketAddress inet && inet.getAddress() != null ? inet.getAddress() : remote;
    }

    static long now(Channel channel) {
        return channel.eventLoop().ticker().nanoTime();
    }

    /** The node waits for a request from that time on, or for the rest of one. */
    void waits(long now) {
        waitingSince.lazySet(now);
    }

    /** The node has something to do for the other side. */
    public void serves() {
        waitingSince.lazySet(BUSY);
    }

    /** Nanoseconds, or {@link #BUSY}. */
    long waitingSince() {
        return waitingSince.get();
    }

    /** An IP address, mostly. */
    Object address() {
        return address;
    }

    /** Closes the connection to make room, unless it is served by now or has not sent all of an answer. Passes by what closes in stages. Any thread. */
    void makeRoom() {
        channel.eventLoop().execute(() -> {
            ChannelHandlerContext first = channel.pipeline().firstContext(); // None once the connection has ended.
            if (first != null && waitingSince() != BUSY && !hasUnsent()) {
                var _ = first.close();
            }
        });
    }

    /** Whether the system has yet to take some of what was written. On the event loop. */
    boolean hasUnsent() {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return unsent != null && unsent.totalPendingWriteBytes() > 0;
    }
}
