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
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.springframework.http.HttpStatus;

/**
 * Bounds the bodies of requests on a port whose handlers do not: their length, and how long they may take to arrive. A body beyond that is answered with 413 or
 * 408, if its request has no answer yet, and its connection is {@linkplain LingeringClose closed in stages} after the answer. A body that arrives in one read starts no
 * timer.
 *
 * <p>Stands behind the HTTP codec and the {@link RequestOrder} of one connection. On its event loop.
 */
public final class BodyGuard extends ChannelDuplexHandler {
    private static final String NAME = "kvorum.bodyGuard";

    private final long bytesMax;
    private final PortMetrics metrics;
    private final Countdown deadline;
    private long bytes;
    private boolean inBody;
    private boolean answerHasBegun;
    private boolean answerHasEnded;
    private boolean refused;

    private BodyGuard(long bytesMax, Duration timeMax, PortMetrics metrics) {
        this.bytesMax = bytesMax;
        this.metrics = metrics;
        this.deadline = new Countdown(timeMax, context -> refuse(context, Refusal.lateBody(timeMax)));
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
            deadline.cancel();
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
        answerHasEnded = false;
        if (HttpUtil.getContentLength(request, 0L) > bytesMax) {
            refuse(context, tooLong());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (inBody && !refused) {
            deadline.start(context);
        }
        context.fireChannelReadComplete();
    }

    private Refusal tooLong() {
        return Refusal.closing(
                HttpStatus.CONTENT_TOO_LARGE, "too-large", "the body is longer than " + bytesMax + " bytes");
    }

    private void refuse(ChannelHandlerContext context, Refusal refusal) {
        refused = true;
        metrics.closed(PortMetrics.Closure.BODY);
        if (answerHasEnded) {
            LingeringClose.whenAllIsSent(context);
        } else if (!answerHasBegun) { // Else it closes with the end of the answer.
            var _ = context.writeAndFlush(refusal.response(true)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (refused && (answerHasEnded || !answerHasBegun)) { // The request has its answer.
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        answerHasBegun |=
                message instanceof HttpResponse head && head.status().codeClass() != HttpStatusClass.INFORMATIONAL;
        var _ = context.write(message, promise);
        if (AnswerGuard.isEndOfAnswer(message)) {
            answerHasEnded = true;
            if (refused) {
                LingeringClose.whenAllIsSent(context);
            }
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        deadline.cancel();
    }
}
