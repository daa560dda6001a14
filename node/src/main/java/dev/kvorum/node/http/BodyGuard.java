package dev.kvorum.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Bounds the bodies of requests on a port whose handlers do not: their length, and how long they may take to arrive. A body beyond that is answered with 413 or
 * 408, if its request has no answer yet, and its connection is closed. A body that arrives in one read starts no timer.
 *
 * <p>Stands behind the HTTP codec of one connection. On its event loop.
 */
public final class BodyGuard extends ChannelDuplexHandler {
    private static final String NAME = "kvorum.bodyGuard";

    private final long bytesMax;
    private final Duration timeMax;
    private final PortMetrics metrics;
    private long bytes;
    private boolean inBody;
    private boolean answerHasBegun;
    private boolean refused;
    private @Nullable ScheduledFuture<?> deadline;

    private BodyGuard(long bytesMax, Duration timeMax, PortMetrics metrics) {
        this.bytesMax = bytesMax;
        this.timeMax = timeMax;
        this.metrics = metrics;
    }

    /** Guards one connection of an HTTP/1.1 server. */
    public static void install(Channel channel, long bytesMax, Duration timeMax, PortMetrics metrics) {
        String codec = channel.pipeline().context(HttpServerCodec.class).name();
        channel.pipeline().addAfter(codec, NAME, new BodyGuard(bytesMax, timeMax, metrics));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!refused && message instanceof HttpRequest request) {
            begin(context, request);
        }
        if (!refused && message instanceof HttpContent content) {
            bytes += content.content().readableBytes();
            if (bytes > bytesMax) {
                refuse(context, tooLong());
            }
        }
        if (message instanceof LastHttpContent) {
            inBody = false;
            cancelDeadline();
        }
        if (refused) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest request) {
        bytes = 0;
        inBody = true;
        answerHasBegun = false;
        if (HttpUtil.getContentLength(request, 0L) > bytesMax) {
            refuse(context, tooLong());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (inBody && !refused && deadline == null) {
            deadline = context.executor()
                    .schedule(() -> refuse(context, late()), timeMax.toMillis(), TimeUnit.MILLISECONDS);
        }
        context.fireChannelReadComplete();
    }

    private Refusal tooLong() {
        return Refusal.closing(
                HttpStatus.CONTENT_TOO_LARGE, "too-large", "the body is longer than " + bytesMax + " bytes");
    }

    private Refusal late() {
        return Refusal.closing(
                HttpStatus.REQUEST_TIMEOUT,
                "late-body",
                "the body did not arrive within " + timeMax.toMillis() + " ms");
    }

    private void refuse(ChannelHandlerContext context, Refusal refusal) {
        refused = true;
        metrics.closed(PortMetrics.Closure.BODY);
        if (answerHasBegun) {
            var _ = context.close();
        } else {
            var _ = context.writeAndFlush(refusal.response(true)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (refused) { // The request has its answer.
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        answerHasBegun |= message instanceof HttpResponse;
        var _ = context.write(message, promise);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        cancelDeadline();
    }
}
