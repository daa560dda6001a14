package dev.kvorum.node.http.client;

import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.RefusedRequestException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/**
 * Refuses operations as soon as their head has been read, while the {@link Gate} turns everybody away: what it takes to look into a request is for those
 * who are served. The answer is that which such a request would get some milliseconds later. Whatever is not plain goes on to those who
 * look into it: a request behind another that is not answered yet or was refused just now, a long body, one that waits to be asked for, a connection that is about to be closed.
 *
 * <p>Stands behind the HTTP codec of one connection. On its event loop.
 */
final class EarlyRefusal extends ChannelDuplexHandler {
    private static final int BODY_MAX = 64 << 10; // Of what is taken in and dropped.
    private static final Set<HttpMethod> METHODS =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.PUT, HttpMethod.DELETE);
    private static final ByteBuf JSON = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(Gate.OVERLOADED.toJson()));
    private static final HttpHeaders HEADERS = DefaultHttpHeadersFactory.headersFactory()
            .newHeaders()
            .set(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
            .set(HttpHeaderNames.CONTENT_LENGTH, JSON.readableBytes())
            .set(HttpHeaderNames.RETRY_AFTER, RefusedRequestException.RETRY_AFTER_SECONDS);

    private final Entrance entrance;
    private final long bodyMillisMax;
    private int unanswered; // Requests that went on.
    private boolean closing; // An answer has said that no further one follows.
    private boolean dropping;
    private @Nullable ScheduledFuture<?> deadline; // Of a body that did not come with its head.

    /** @param bodyMax how long the body of a request may take to arrive */
    EarlyRefusal(Entrance entrance, Duration bodyMax) {
        this.entrance = entrance;
        this.bodyMillisMax = bodyMax.toMillis();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest head) {
            dropping = unanswered == 0 && !closing && entrance.turnsAway(context.channel()) && isPlain(head);
            unanswered += dropping ? 0 : 1;
        }
        if (!dropping) {
            context.fireChannelRead(message);
            return;
        }
        boolean isWhole = message instanceof LastHttpContent;
        ReferenceCountUtil.release(message);
        if (isWhole) {
            dropping = false;
            cancelDeadline();
            refuse(context);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        if (dropping) {
            if (deadline == null) {
                deadline = context.executor().schedule(() -> giveUp(context), bodyMillisMax, TimeUnit.MILLISECONDS);
            }
            context.read(); // Nobody else knows that more must come.
        }
    }

    private void giveUp(ChannelHandlerContext context) {
        entrance.gaveUp();
        var _ = context.close();
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

    private void refuse(ChannelHandlerContext context) {
        // The content is read when it is sent, so that cannot be one for all.
        var _ = context.writeAndFlush(new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.SERVICE_UNAVAILABLE,
                JSON.duplicate(),
                HEADERS,
                EmptyHttpHeaders.INSTANCE));
        entrance.turnedAway(context.channel());
    }

    private static boolean isPlain(HttpRequest head) {
        return head.decoderResult().isSuccess()
                && METHODS.contains(head.method())
                && isEntity(head.uri())
                && head.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && HttpUtil.isKeepAlive(head)
                && !head.headers().contains(HttpHeaderNames.EXPECT)
                && !head.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
                && isShort(head.headers().get(HttpHeaderNames.CONTENT_LENGTH));
    }

    private static boolean isEntity(String target) {
        int length = ClientHandler.ENTITY.length();
        return target.startsWith(ClientHandler.ENTITY) && (target.length() == length || target.charAt(length) == '?');
    }

    private static boolean isShort(@Nullable String length) {
        return length == null || (length.length() <= 5 && Integer.parseInt(length) <= BODY_MAX);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (AnswerGuard.isEndOfAnswer(message)) {
            unanswered--;
        }
        closing |= message instanceof HttpResponse answer && !HttpUtil.isKeepAlive(answer);
        var _ = context.write(message, promise);
    }
}
