package dev.kvorum.node.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds the connections of a port, in all and by address, as {@link ConnectionTable} decides. On a port that speaks HTTP, a connection that is not admitted is answered,
 * unread, with a bare 503 and {@linkplain LingeringClose closed in stages}, or at once while {@value #LINGERING_MAX} others are being closed so: strangers who are refused must not
 * hold the files of the process. On another port it is closed at once. So is each one that comes when the port is about to be closed: a server may still accept some after it has chosen which ones to end. Any
 * thread.
 */
public final class ConnectionLimit {
    static final int LINGERING_MAX = 32;
    private static final String NAME = "kvorum.connectionLimit";
    private static final ByteBuf REFUSAL = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
            .writeBytes(
                    ("HTTP/1.1 503 Service Unavailable\r\nRetry-After: " + RefusedRequestException.RETRY_AFTER_SECONDS
                                    + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII)));

    private final ConnectionTable table;
    // It closes at once what is added after it was closed itself.
    private final ChannelGroup admitted = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);
    private final PortMetrics metrics;
    private final boolean speaksHttp;
    private final AtomicInteger lingering = new AtomicInteger(); // Refused connections that are not closed yet.
    private volatile boolean closing;

    /**
     * @param name of the meter that tells the number of connections
     * @param of the other side, for a person
     * @param speaksHttp whether a refusal is answered
     */
    public ConnectionLimit(
            int connectionsMax, String name, String of, boolean speaksHttp, PortMetrics metrics, MeterRegistry meters) {
        this.speaksHttp = speaksHttp;
        this.table = new ConnectionTable(connectionsMax);
        this.metrics = metrics;
        Gauge.builder(name, table, ConnectionTable::size)
                .description("Connections of " + of)
                .register(meters);
    }

    /** Counts a new connection; false if it is not admitted, and then it is being closed. On its event loop. */
    public boolean admit(Channel channel) {
        if (closing) {
            refuse(channel);
            return false;
        }
        Held newcomer = Held.opened(channel);
        ConnectionTable.Outcome outcome = table.add(newcomer, newcomer.waitingSince());
        if (outcome.refusal() != null) {
            metrics.refused(outcome.refusal());
            refuse(channel);
            return false;
        }
        var _ = channel.closeFuture().addListener(end -> table.remove(newcomer));
        admitted.add(channel);
        if (outcome.leaver() != null) {
            metrics.closed(PortMetrics.Closure.ROOM);
            outcome.leaver().makeRoom();
        }
        return true;
    }

    /** How many connections the port may have. */
    int max() {
        return table.max();
    }

    private void refuse(Channel channel) {
        channel.pipeline().addFirst(NAME, new Refusing());
    }

    private void closeAnswered(Channel channel) {
        boolean hasPlace = lingering.getAndIncrement() < LINGERING_MAX;
        if (hasPlace && LingeringClose.begin(channel)) {
            var _ = channel.closeFuture().addListener(end -> lingering.decrementAndGet());
        } else {
            lingering.decrementAndGet();
            var _ = channel.close();
        }
    }

    /** From now on none is admitted, for good. Those that were go on. */
    public void admitNoMore() {
        closing = true;
    }

    /**
     * Closes all that were admitted, whatever they are doing; also one that is being admitted now. Blocks until they are closed: what they had begun has
     * begun by then.
     *
     * @return false if some were not at the end of that time
     */
    public boolean close(Duration atMost) throws InterruptedException {
        admitNoMore();
        return admitted.close().await(atMost.toMillis());
    }

    private final class Refusing extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (speaksHttp) {
                var _ = context.writeAndFlush(REFUSAL.duplicate())
                        .addListener(sent -> closeAnswered(context.channel()));
            } else {
                var _ = context.close();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }
    }
}
