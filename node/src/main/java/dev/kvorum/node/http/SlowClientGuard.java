package dev.kvorum.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection on which the head of a request began to arrive, but did not end within a time. An idle time-out does
 * not see that: every trickled byte resets it.
 *
 * <p>One half stands before the HTTP codec and sees bytes, the other behind it and sees requests. A head that arrives in one
 * read, as nearly all do, starts no timer.
 */
public final class SlowClientGuard extends ChannelInboundHandlerAdapter {
    private static final String BYTES = "kvorum.slowClientGuard.bytes";
    private static final String REQUESTS = "kvorum.slowClientGuard.requests";

    private final long headMillisMax;
    private final PortMetrics metrics;
    private boolean inBody;
    private boolean begun;
    private @Nullable ScheduledFuture<?> deadline;

    private SlowClientGuard(Duration headMax, PortMetrics metrics) {
        this.headMillisMax = headMax.toMillis();
        this.metrics = metrics;
    }

    /** Guards one connection of an HTTP/1.1 server. */
    public static void install(Channel channel, Duration headMax, PortMetrics metrics) {
        SlowClientGuard guard = new SlowClientGuard(headMax, metrics);
        ChannelPipeline pipeline = channel.pipeline();
        String codec = pipeline.context(HttpServerCodec.class).name();
        pipeline.addBefore(codec, BYTES, guard);
        pipeline.addAfter(codec, REQUESTS, guard.new Requests());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        begun = true;
        context.fireChannelRead(bytes); // Takes it through the codec, and back to headIsWhole if a head has ended.
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (begun && !inBody && deadline == null) {
            deadline = context.executor()
                    .schedule(
                            () -> {
                                metrics.closed(PortMetrics.Closure.HEAD);
                                var _ = context.close();
                            },
                            headMillisMax,
                            TimeUnit.MILLISECONDS);
        }
        context.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancelDeadline();
        context.fireChannelInactive();
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    private final class Requests extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest) {
                cancelDeadline();
                begun = false;
                inBody = true;
            }
            if (message instanceof LastHttpContent) {
                begun = false;
                inBody = false;
            }
            context.fireChannelRead(message);
        }
    }
}
