package dev.kvorum.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection that has waited between requests for a time. One timer for its whole life, which looks how long that is by now: to start and
 * stop one for each request, as servers mostly do, costs a hundredth of the request.
 *
 * <p>Keeps the connection's {@link Held} up to date, so that a full port can tell which connection waits.
 *
 * <p>Stands behind the HTTP codec of one connection of an HTTP/1.1 server. On its event loop.
 */
public final class IdleGuard extends ChannelDuplexHandler {
    private static final String NAME = "kvorum.idleGuard";

    private final long nanosMax;
    private final Held held;
    private int unanswered;
    private boolean headHasCome; // And its body has not, since the last time all bytes were read.
    private long idleSince;
    private @Nullable ScheduledFuture<?> look;

    private IdleGuard(Duration idleMax, Held held) {
        this.nanosMax = idleMax.toNanos();
        this.held = held;
    }

    /** Guards one connection, on its event loop. */
    public static void install(Channel channel, Duration idleMax) {
        String codec = channel.pipeline().context(HttpServerCodec.class).name();
        channel.pipeline().addAfter(codec, NAME, new IdleGuard(idleMax, Held.of(channel)));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        idleSince = now(context);
        lookAfter(context, nanosMax);
    }

    private void lookAfter(ChannelHandlerContext context, long nanos) {
        look = context.executor().schedule(() -> look(context), nanos, TimeUnit.NANOSECONDS);
    }

    private void look(ChannelHandlerContext context) {
        boolean isBusy = unanswered > 0 || held.hasUnsent(); // Its client may be slow.
        long rest = isBusy ? nanosMax : idleSince + nanosMax - now(context);
        if (rest > 0) {
            lookAfter(context, rest);
        } else {
            var _ = context.close();
        }
    }

    private static long now(ChannelHandlerContext context) {
        return context.executor().ticker().nanoTime();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            unanswered++;
            headHasCome = true;
        }
        if (message instanceof LastHttpContent) {
            headHasCome = false;
            held.serves(); // Of a request that is not whole it is not known whether the rest will come.
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (headHasCome) {
            headHasCome = false;
            held.waits(now(context)); // For the body.
        }
        context.fireChannelReadComplete();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (AnswerGuard.isEndOfAnswer(message)) {
            unanswered--;
            idleSince = now(context);
            if (unanswered <= 0) {
                held.waits(idleSince);
            }
        }
        var _ = context.write(message, promise);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (look != null) {
            look.cancel(false);
        }
    }
}
