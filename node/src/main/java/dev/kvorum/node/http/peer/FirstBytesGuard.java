package dev.kvorum.node.http.peer;

import dev.kvorum.node.http.PortMetrics;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Closes a connection of which it is not known within a time what it speaks: until then no protocol's own rules apply. Stands behind whoever finds that out. */
final class FirstBytesGuard extends ChannelInboundHandlerAdapter {
    private static final String NAME = "kvorum.firstBytesGuard";

    private final ScheduledFuture<?> deadline;

    private FirstBytesGuard(ScheduledFuture<?> deadline) {
        this.deadline = deadline;
    }

    /** Stands first on a connection that is being accepted, until somebody else does who finds out. */
    static void install(Channel channel, Duration silenceMax, PortMetrics metrics) {
        ScheduledFuture<?> deadline = channel.eventLoop()
                .schedule(
                        () -> {
                            metrics.closed(PortMetrics.Closure.SILENCE);
                            var _ = channel.close();
                        },
                        silenceMax.toMillis(),
                        TimeUnit.MILLISECONDS);
        channel.pipeline().addFirst(NAME, new FirstBytesGuard(deadline));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        context.pipeline().remove(this);
        context.fireChannelRead(bytes);
    }

    /** It is known, or the connection has ended. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        deadline.cancel(false);
    }
}
