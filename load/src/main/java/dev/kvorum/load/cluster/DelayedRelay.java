package dev.kvorum.load.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One direction of a proxied connection: what is read here is written there, after a delay. */
final class DelayedRelay extends ChannelInboundHandlerAdapter {
    private static final long HELD_BYTES_MAX = 64 << 20;

    private final Channel to;
    private final LongSupplier delayNanos;
    private final DelayLine<ByteBuf> line = new DelayLine<>();
    private long heldBytes;
    private boolean scheduled;
    private boolean ended;

    DelayedRelay(Channel to, LongSupplier delayNanos) {
        this.to = to;
        this.delayNanos = delayNanos;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        long delay = delayNanos.getAsLong();
        if (delay == 0 && line.isEmpty()) {
            var _ = to.write(bytes);
            return;
        }
        heldBytes += bytes.readableBytes();
        if (heldBytes > HELD_BYTES_MAX) {
            context.channel().config().setAutoRead(false);
        }
        line.add(bytes, System.nanoTime(), delay);
        schedule(context);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        to.flush();
    }

    private void schedule(ChannelHandlerContext context) {
        if (!scheduled && !line.isEmpty()) {
            scheduled = true;
            var _ = context.channel()
                    .eventLoop()
                    .schedule(() -> release(context), line.nanosToNext(System.nanoTime()), TimeUnit.NANOSECONDS);
        }
    }

    private void release(ChannelHandlerContext context) {
        scheduled = false;
        @Nullable ByteBuf due = line.poll(System.nanoTime());
        while (due != null) {
            heldBytes -= due.readableBytes();
            var _ = to.write(due);
            due = line.poll(System.nanoTime());
        }
        to.flush();
        if (heldBytes < HELD_BYTES_MAX) {
            context.channel().config().setAutoRead(true);
        }
        schedule(context);
        closeWhenEmpty();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        closeWhenEmpty();
    }

    private void closeWhenEmpty() {
        if (ended && line.isEmpty()) {
            var _ = to.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A reset by one side: the other one is closed with it, which is all that a proxy can say.
        var _ = context.close();
    }
}
