package dev.kvorum.node.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Hands the requests of a connection on one at a time, and sees to it that each answer reaches the client:
 *
 * <ul>
 *   <li>A request waits until the answer to the one before it has ended. Nothing more is read while one waits.
 *   <li>A request that breaks the {@linkplain RequestRules rules of HTTP} is refused here, in its turn.
 *   <li>A client that has shut down its sending side gets the answers to all its whole requests; then the connection closes.
 *   <li>After a last answer the connection {@linkplain LingeringClose closes in stages}.
 * </ul>
 *
 * <p>Stands behind the HTTP codec of one connection, which allows half-closure. On its event loop.
 */
public final class RequestOrder extends ChannelDuplexHandler {
    private static final String NAME = "kvorum.requestOrder";
    private static final int TCP_CLOSE = 7; // Of the states in Linux's include/net/tcp_states.h.
    private static final long LOOK_MILLIS = 100;

    private final Consumer<HttpStatus> refused;
    private @Nullable Deque<Object> waiting; // Requests and pieces of them, from the first whose turn has not come.
    private boolean receiving; // The head of a request has arrived, and its end has not.
    private boolean unanswered; // A request was handed on, and its answer has not ended.
    private boolean answering; // The head of that answer is written.
    private boolean dropping; // The rest of a refused request.
    private boolean closing; // An answer has said that no further one follows.
    private boolean done; // That answer has ended.
    private boolean inputEnded;
    private boolean overflown; // More requests came at once than the codec decodes ahead: it drops the rest.
    private boolean ignoresClose; // The codec closes after the next answer, though others wait.
    private boolean readWanted;

    private RequestOrder(Consumer<HttpStatus> refused) {
        this.refused = refused;
    }

    /** @param refused is told the status of each request that is refused here */
    public static void install(Channel channel, Consumer<HttpStatus> refused) {
        String codec = channel.pipeline().context(HttpServerCodec.class).name();
        channel.pipeline().addAfter(codec, NAME, new RequestOrder(refused));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        boolean isHead = message instanceof HttpRequest;
        receiving = (receiving || isHead) && !(message instanceof LastHttpContent);
        if (done || (isHead && isCutOff((HttpRequest) message))) {
            ReferenceCountUtil.release(message);
        } else if (hasWaiting() || (isHead && unanswered)) {
            await(context, message);
        } else {
            pass(context, message);
        }
    }

    /** Whether the client has gone before the end of the head. */
    private static boolean isCutOff(HttpRequest head) {
        return head.decoderResult().cause() instanceof PrematureChannelClosureException;
    }

    private boolean hasWaiting() {
        return waiting != null && !waiting.isEmpty();
    }

    private void await(ChannelHandlerContext context, Object message) {
        if (waiting == null) {
            waiting = new ArrayDeque<>();
        }
        waiting.add(message);
        context.channel().config().setAutoRead(false); // Ends the reading that is under way: one buffer waits at most.
    }

    private void pass(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest head) {
            Refusal refusal = RequestRules.check(head);
            if (refusal == null) {
                RequestRules.normalize(head);
                unanswered = true;
                context.fireChannelRead(message);
            } else {
                boolean closes =
                        !refusal.keepsConnection() || endsWithThis() || hasBody(head) || !HttpUtil.isKeepAlive(head);
                dropping = !(message instanceof LastHttpContent);
                ReferenceCountUtil.release(message);
                refuse(context, refusal, closes);
            }
        } else if (dropping) {
            dropping = !(message instanceof LastHttpContent);
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpObject piece && piece.decoderResult().isFailure()) {
            Throwable cause = piece.decoderResult().cause();
            ReferenceCountUtil.release(message);
            refuseBody(context, cause);
        } else {
            context.fireChannelRead(message);
        }
    }

    private static boolean hasBody(HttpRequest head) {
        return HttpUtil.isTransferEncodingChunked(head) || HttpUtil.getContentLength(head, 0L) > 0;
    }

    private void refuse(ChannelHandlerContext context, Refusal refusal, boolean closes) {
        refused.accept(refusal.status());
        ChannelFuture sent = context.writeAndFlush(refusal.response(closes));
        if (closes) {
            done = true;
            var _ = sent.addListener(end -> close(context, context.newPromise()));
        } else {
            readWanted = true; // Nobody behind this handler knows of the request.
        }
    }

    /** The body can't be read to its end. */
    private void refuseBody(ChannelHandlerContext context, @Nullable Throwable cause) {
        if (unanswered && !answering) {
            refuse(context, RequestRules.ofFailure(cause), true);
        } else {
            close(context, context.newPromise()); // It has its answer, or half of it.
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        readOn(context);
    }

    private void readOn(ChannelHandlerContext context) {
        if (readWanted && !hasWaiting() && !done) {
            readWanted = false;
            read(context);
        }
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (hasWaiting()) {
            readWanted = true;
        } else if (!inputEnded && !overflown) {
            context.read();
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (done) { // The client has had a refusal meanwhile.
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        if (message instanceof FullHttpResponse answer && isBare(answer)) {
            answer.release();
            write(context, RequestRules.MALFORMED.response(true), promise);
            return;
        }
        if (message instanceof HttpResponse head && head.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
            answering = true;
            if (endsWithThis()) {
                HttpUtil.setKeepAlive(head, false);
            }
            closing |= !HttpUtil.isKeepAlive(head);
        }
        if (AnswerGuard.isEndOfAnswer(message)) {
            var _ = context.write(message, ended(context, promise));
        } else {
            var _ = context.write(message, promise);
        }
    }

    /** Whether it is a refusal of the server itself, which could not read the request in a way that no rule foresees. */
    private static boolean isBare(FullHttpResponse answer) {
        return answer.status().equals(HttpResponseStatus.BAD_REQUEST)
                && !answer.headers().contains(HttpHeaderNames.CONTENT_TYPE);
    }

    private ChannelPromise ended(ChannelHandlerContext context, ChannelPromise promise) {
        unanswered = false;
        answering = false;
        done = closing;
        if (hasWaiting() && !done) {
            context.executor().execute(() -> passWaiting(context)); // When its sender has done with it.
            return promise;
        }
        return endsWithThis() ? promise.unvoid().addListener(ChannelFutureListener.CLOSE) : promise;
    }

    /** Whether no request can follow the one that is being answered. */
    private boolean endsWithThis() {
        return (inputEnded || overflown) && !hasWaiting();
    }

    private void passWaiting(ChannelHandlerContext context) {
        Deque<Object> queue = waiting;
        while (queue != null && !queue.isEmpty() && !done && !(unanswered && queue.peek() instanceof HttpRequest)) {
            pass(context, queue.remove());
        }
        if (done) {
            discard();
        }
        context.fireChannelReadComplete();
        readOn(context);
        closeIfNothingIsLeft(context);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        switch (event) {
            case ChannelInputShutdownEvent end -> {
                inputEnded = true;
                dropUnfinished(context);
                closeIfNothingIsLeft(context);
                lookForReset(context);
            }
            case ChannelInputShutdownReadComplete end -> {} // Comes with the other event.
            default -> context.fireUserEventTriggered(event);
        }
    }

    /**
     * What the codec has decoded is answered; the client repeats the rest on another connection (RFC 9112, section 9.3.2). After a reset no answer arrives: the
     * handlers behind this one see the connection end.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof DecoderException && cause.getCause() instanceof IllegalStateException && hasWaiting()) {
            overflown = true;
            ignoresClose = true;
        } else if (cause instanceof IOException) {
            var _ = context.close();
        } else {
            context.fireExceptionCaught(cause);
        }
    }

    /** The system tells nobody of a reset after the end of the input, and wakes the event loop for it again and again. */
    private void lookForReset(ChannelHandlerContext context) {
        if (!(context.channel() instanceof EpollSocketChannel channel) || !channel.isOpen() || done) {
            return;
        }
        if (isReset(channel)) {
            var _ = context.close();
        } else {
            var _ = context.executor().schedule(() -> lookForReset(context), LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static boolean isReset(EpollSocketChannel channel) {
        return channel.tcpInfo().state() == TCP_CLOSE;
    }

    /** The client can't complete the request that it had begun. */
    private void dropUnfinished(ChannelHandlerContext context) {
        Deque<Object> queue = waiting;
        if (!receiving) {
            return;
        }
        if (queue == null || queue.isEmpty()) {
            closeWhenSent(context);
            return;
        }
        boolean isHead = false;
        while (!isHead && !queue.isEmpty()) {
            Object last = queue.removeLast();
            isHead = last instanceof HttpRequest;
            ReferenceCountUtil.release(last);
        }
    }

    private void closeIfNothingIsLeft(ChannelHandlerContext context) {
        if (inputEnded && !unanswered && !hasWaiting() && !done) {
            closeWhenSent(context);
        }
    }

    /** Ends the connection when all that was written to it is sent. */
    private void closeWhenSent(ChannelHandlerContext context) {
        done = true;
        var _ = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (ignoresClose && hasWaiting()) {
            ignoresClose = false;
            var _ = context.channel().closeFuture().addListener(end -> promise.trySuccess());
        } else if (done && !inputEnded && !hasUnsent(context.channel()) && LingeringClose.begin(context.channel())) {
            var _ = context.channel().closeFuture().addListener(end -> promise.trySuccess());
        } else {
            var _ = context.close(promise);
        }
    }

    private static boolean hasUnsent(Channel channel) {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return unsent != null
                && !unsent.isEmpty(); // Not its bytes: they count until all listeners of the write have run.
    }

    private void discard() {
        while (waiting != null && !waiting.isEmpty()) {
            ReferenceCountUtil.release(waiting.remove());
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        discard();
    }
}
