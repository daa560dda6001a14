package dev.kvorum.node.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Ends a connection on which the head of a request began to arrive, but did not end within a time. An idle time-out does
 * not see that: every trickled byte resets it. Behind a {@link RequestOrder} the client gets {@code 408} first, in its turn (RFC 9110, section 15.5.9).
 *
 * <p>One half stands before the HTTP codec and sees bytes, the other behind it and sees requests. A head that arrives in one
 * read, as nearly all do, starts no timer.
 */
public final class SlowClientGuard extends ChannelInboundHandlerAdapter {
    private static final String BYTES = "kvorum.slowClientGuard.bytes";
    private static final String REQUESTS = "kvorum.slowClientGuard.requests";

    private final HeadLimit limit;
    private final PortMetrics metrics;
    private final Countdown deadline;
    private boolean inBody;
    private boolean begun;

    private SlowClientGuard(HeadLimit limit, PortMetrics metrics) {
        this.limit = limit;
        this.metrics = metrics;
        this.deadline = new Countdown(limit.max(), this::late);
    }

    /** Guards one connection of an HTTP/1.1 server. */
    static void install(Channel channel, HeadLimit limit, PortMetrics metrics) {
        SlowClientGuard guard = new SlowClientGuard(limit, metrics);
        ChannelPipeline pipeline = channel.pipeline();
        String codec = pipeline.context(HttpServerCodec.class).name();
        pipeline.addBefore(codec, BYTES, guard);
        pipeline.addAfter(codec, REQUESTS, guard.new Requests());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        begun = true;
        context.fireChannelRead(bytes); // Takes it through the codec, and back to Requests if a head has ended.
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (begun && !inBody) {
            deadline.start(context);
        }
        context.fireChannelReadComplete();
    }

    private void late(ChannelHandlerContext context) {
        metrics.closed(PortMetrics.Closure.HEAD);
        ChannelPipeline pipeline = context.pipeline();
        if (pipeline.get(RequestOrder.class) == null) {
            var _ = context.close();
        } else {
            pipeline.context(REQUESTS).fireChannelRead(lateHead());
        }
    }

    private FullHttpRequest lateHead() {
        FullHttpRequest head =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/", Unpooled.EMPTY_BUFFER);
        head.setDecoderResult(limit.late());
        return head;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        deadline.cancel();
        context.fireChannelInactive();
    }

    private final class Requests extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest) {
                deadline.cancel();
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
