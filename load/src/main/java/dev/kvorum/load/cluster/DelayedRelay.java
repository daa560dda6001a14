package dev.kvorum.load.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One direction of a proxied connection: what is read here is written there, after a delay. Event loop only. */
final class DelayedRelay extends ChannelInboundHandlerAdapter {
    private static final long HELD_BYTES_MAX = 64 << 20;

    private final LongSupplier delayNanos;
    private final DelayLine<ByteBuf> line = new DelayLine<>();
    private @Nullable Channel to;
    private @Nullable ChannelHandlerContext context;
    private long heldBytes;
    private boolean scheduled;
    private boolean ended;

    /** Holds all that is read until it is opened. */
    DelayedRelay(LongSupplier delayNanos) {
        this.delayNanos = delayNanos;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    /** From now on it is written there. */
    void open(Channel there) {
        to = there;
        release();
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        heldBytes += bytes.readableBytes();
        if (heldBytes > HELD_BYTES_MAX) {
            reading.channel().config().setAutoRead(false);
        }
        line.add(bytes, System.nanoTime(), delayNanos.getAsLong());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext reading) {
        if (!scheduled) {
            release();
        }
    }

    private void release() {
        scheduled = false;
        Channel there = to;
        if (there == null || context == null) {
            return;
        }
        @Nullable ByteBuf due = line.poll(System.nanoTime());
        while (due != null) {
            heldBytes -= due.readableBytes();
            var _ = there.write(due);
            due = line.poll(System.nanoTime());
        }
        there.flush();
        if (!line.isEmpty()) {
            scheduled = true;
            var _ = context.channel()
                    .eventLoop()
                    .schedule(this::release, line.nanosToNext(System.nanoTime()), TimeUnit.NANOSECONDS);
        } else if (ended) {
            var _ = there.close();
        } else if (there.isActive() && heldBytes == 0) {
            context.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
        ended = true;
        if (!scheduled) {
            release();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        // A reset by one side: the other one is closed with it, which is all that a proxy can say.
        var _ = failed.close();
    }
}
