package dev.kvorum.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.netty.Connection;

/**
 * Counts a long answer against the budget of the node from its decision until the system has taken it: its client may not take it from
 * there. A connection that has not taken one to its end for a time is closed: by driblets it would hold the memory for hours. When the budget is short, it is closed
 * as soon as it is {@linkplain BodyTransfers slow}.
 *
 * <p>Whoever decides on an answer takes room for it here, by any thread. The room belongs to the connection until that writes the end
 * of its next answer, then to that write, and is given back when the write has ended, well or not. An answer that is written in place
 * of the decided one takes the room over, and so does the end of the connection. HTTP/1.1 has one answer under way at a time, so no
 * other can be meant.
 *
 * <p>What Reactor Netty is told to send by another thread than the connection's it calls sent before it is written, and where the
 * connection ends meanwhile it loses the buffer without releasing it: neither says when the bytes are gone.
 */
public final class AnswerGuard extends ChannelOutboundHandlerAdapter {
    /** Answers shorter than that are not counted: the limit on connections bounds them. */
    public static final int COUNTED_MIN = 4096;

    private static final String NAME = "kvorum.answerGuard";
    private static final AttributeKey<AnswerGuard> OF_CHANNEL = AttributeKey.valueOf(AnswerGuard.class, "ofChannel");
    private static final long CLOSED = -1;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AnswerLimits limits;
    private int writing; // Answers that the system has not taken yet; with what follows, on the event loop.
    private long writingSince; // Or since one was taken to its end.
    private long writingBytes;
    private long written; // Bytes of all answers that were counted.
    private long takenSeen; // Of those.
    private @Nullable BodyTransfer transfer; // While the system has not taken what was flushed.
    private @Nullable ScheduledFuture<?> look; // One timer at most, not one for each answer.

    /** Bytes taken for an answer that is not written yet, or {@link #CLOSED}, which is for good. */
    private final AtomicLong decided = new AtomicLong();

    private AnswerGuard(AnswerLimits limits) {
        this.limits = limits;
    }

    /** Guards one connection. On its event loop. */
    public static void install(Channel channel, AnswerLimits limits) {
        AnswerGuard guard = new AnswerGuard(limits);
        channel.attr(OF_CHANNEL).set(guard);
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addAfter(pipeline.context(HttpServerCodec.class).name(), NAME, guard);
    }

    /**
     * Takes room for the answer to a request, or fails with {@link RefusedRequestException} and takes none. Any thread.
     *
     * @param bytes length of its body; one that is short takes no room, and none does that answers a HEAD
     */
    public static void require(ServerHttpRequest request, int bytes) {
        if (bytes >= COUNTED_MIN && !request.getMethod().equals(HttpMethod.HEAD)) {
            Channel channel = channelOf(request);
            of(channel).require(Held.addressOf(channel.remoteAddress()), bytes);
        }
    }

    /** That which a request has come by. */
    public static Channel channelOf(ServerHttpRequest request) {
        Connection connection = ServerHttpRequestDecorator.getNativeRequest(request);
        return connection.channel();
    }

    static AnswerGuard of(Channel channel) {
        return Objects.requireNonNull(channel.attr(OF_CHANNEL).get(), "the connection is not guarded");
    }

    void require(Object address, int bytes) {
        limits.bodies().require(address, bytes);
        if (decided.getAndAccumulate(bytes, AnswerGuard::add) == CLOSED) {
            limits.bodies().giveBack(bytes); // Nobody is there to be answered.
        }
    }

    private static long add(long now, long bytes) {
        return now == CLOSED ? CLOSED : now + bytes;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (decided.get() > 0 && isEndOfAnswer(message)) {
            long bytes = decided.getAndSet(0);
            begun(context, bytes);
            var _ = context.write(message, promise.unvoid().addListener(end -> ended(context, bytes)));
        } else {
            var _ = context.write(message, promise);
        }
    }

    private void begun(ChannelHandlerContext context, long bytes) {
        if (writing++ == 0) {
            writingSince = now(context);
        }
        writingBytes += bytes;
        written += bytes;
        if (transfer != null) {
            transfers().moved(transfer, bytes, 0);
        }
        if (look == null) {
            lookAfter(context, limits.takeNanosMax());
        }
    }

    private void ended(ChannelHandlerContext context, long bytes) {
        limits.bodies().giveBack(bytes);
        writing--;
        writingBytes -= bytes;
        writingSince = now(context);
        BodyTransfer waiting = transfer;
        if (waiting != null) {
            transfers().moved(waiting, -bytes, 0);
            if (writing == 0) {
                transfers().remove(waiting);
                transfer = null;
            }
        }
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        context.flush();
        if (writing > 0) {
            moved(context);
        }
    }

    /** The client has to take the rest: notes how much it has taken. */
    private void moved(ChannelHandlerContext context) {
        long taken = written - unsent(context.channel());
        long bytes = Math.max(0, taken - takenSeen);
        takenSeen += bytes;
        if (transfer == null) {
            transfer = new BodyTransfer(
                    Held.addressOf(context.channel().remoteAddress()),
                    () -> context.executor().execute(() -> giveUp(context)));
            transfers().moved(transfer, writingBytes, bytes);
        } else {
            transfers().moved(transfer, 0, bytes);
        }
    }

    /** At most all that is being written: heads are not counted. */
    private long unsent(Channel channel) {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return unsent == null ? writingBytes : Math.min(writingBytes, unsent.totalPendingWriteBytes());
    }

    private BodyTransfers transfers() {
        return limits.bodies().transfers();
    }

    private void lookAfter(ChannelHandlerContext context, long nanos) {
        look = context.executor().schedule(() -> look(context), Math.min(nanos, LOOK_NANOS), TimeUnit.NANOSECONDS);
    }

    private void look(ChannelHandlerContext context) {
        look = null;
        if (writing == 0) {
            return;
        }
        long rest = writingSince + limits.takeNanosMax() - now(context);
        if (rest > 0) {
            moved(context);
            lookAfter(context, rest);
        } else {
            giveUp(context);
        }
    }

    private void giveUp(ChannelHandlerContext context) {
        if (writing > 0 && context.channel().isOpen()) {
            limits.untaken().increment();
            var _ = context.close();
        }
    }

    private static long now(ChannelHandlerContext context) {
        return context.executor().ticker().nanoTime();
    }

    /** Whether an answer ends with what is written. With {@code 100 Continue} it does not: the answer itself follows. */
    public static boolean isEndOfAnswer(Object written) {
        return written instanceof LastHttpContent
                && !(written instanceof HttpResponse response
                        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL);
    }

    /** The connection has ended, and what is not written by now will not be. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        long bytes = decided.getAndSet(CLOSED);
        if (bytes > 0) {
            limits.bodies().giveBack(bytes);
        }
        if (look != null) {
            look.cancel(false);
        }
    }
}
