package dev.kvorum.node.http.peer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Closes a connection on which no byte comes within a time: until the first, nobody knows which protocol's own rules apply. */
final class FirstByteGuard extends ChannelInboundHandlerAdapter {
    private static final String NAME = "kvorum.firstByteGuard";

    private final ScheduledFuture<?> deadline;

    private FirstByteGuard(ScheduledFuture<?> deadline) {
        this.deadline = deadline;
    }

    /** Stands first on a connection that is being accepted, until it is read. */
    static void install(Channel channel, Duration silenceMax) {
        ScheduledFuture<?> deadline = channel.eventLoop()
                .schedule(
                        () -> {
                            var _ = channel.close();
                        },
                        silenceMax.toMillis(),
                        TimeUnit.MILLISECONDS);
        channel.pipeline().addFirst(NAME, new FirstByteGuard(deadline));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        deadline.cancel(false);
        context.pipeline().remove(this); // First: whoever learns from these bytes what comes clears away the rest.
        context.fireChannelRead(bytes);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        deadline.cancel(false);
        context.fireChannelInactive();
    }
}
