package dev.kvorum.node.admission;

import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.Countdown;
import dev.kvorum.node.http.Refusal;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    private static final Refusal OVERLOADED = Refusal.keeping(Gate.OVERLOADED);

    private final Entrance entrance;
    private final String path;
    private final Duration bodyMax;
    private final Countdown deadline; // Of a body that did not come with its head.
    private int unanswered; // Requests that went on.
    private boolean closing; // An answer has said that no further one follows.
    private boolean dropping;

    /**
     * @param path of the requests that it may refuse
     * @param bodyMax how long the body of a request may take to arrive
     */
    EarlyRefusal(Entrance entrance, String path, Duration bodyMax) {
        this.entrance = entrance;
        this.path = path;
        this.bodyMax = bodyMax;
        this.deadline = new Countdown(bodyMax, this::giveUp);
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
        if (isWhole && !closing) {
            dropping = false;
            deadline.cancel();
            refuse(context);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        if (dropping && !closing) {
            deadline.start(context);
            context.read(); // Nobody else knows that more must come.
        }
    }

    private void giveUp(ChannelHandlerContext context) {
        closing = true;
        entrance.gaveUp();
        var _ = context.writeAndFlush(Refusal.lateBody(bodyMax).response(true))
                .addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        deadline.cancel();
    }

    private void refuse(ChannelHandlerContext context) {
        var _ = context.writeAndFlush(OVERLOADED.response(false));
        entrance.turnedAway(context.channel());
    }

    private boolean isPlain(HttpRequest head) {
        return head.decoderResult().isSuccess()
                && METHODS.contains(head.method())
                && isOperation(head.uri())
                && head.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && HttpUtil.isKeepAlive(head)
                && !head.headers().contains(HttpHeaderNames.EXPECT)
                && !head.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
                && isShort(head.headers().get(HttpHeaderNames.CONTENT_LENGTH));
    }

    private boolean isOperation(String target) {
        int length = path.length();
        return target.startsWith(path) && (target.length() == length || target.charAt(length) == '?');
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
