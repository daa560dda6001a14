package dev.kvorum.node.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Holds a new connection until the head of its first request has arrived, and then hands it on with the bytes that came. Until then the connection has no other
 * handler: 2,000 clients that are silent or send a head byte by byte hold a third of the memory that full pipelines take.
 *
 * <p>Closes a silent connection after a time, and answers {@code 408} to a head that takes too long (RFC 9110, section 15.5.9). It does not judge the head: whatever
 * can't be the beginning of one is handed on at once, and the codec refuses it. A head of more than {@value #BYTES_MAX} bytes may take twice the time: the guard behind
 * the codec begins anew. On the event loop of its connection.
 */
final class FirstHead extends ChannelDuplexHandler {
    /** A longer head is handed on before it is whole, to the codec, which bounds heads. */
    static final int BYTES_MAX = 4096;

    private final NewConnections port;
    private final ChannelHandler initializer;
    private Countdown countdown; // Until something comes, and then until the head is whole.
    private @Nullable ByteBuf held;
    private int looked; // At so many of the bytes held.
    private boolean begun; // A line that is not empty.
    private boolean lineIsEmpty;
    private boolean handedOn;
    private boolean building;
    private boolean refused; // What still comes is dropped.

    /** @param initializer builds the pipeline of the server */
    FirstHead(NewConnections port, ChannelHandler initializer) {
        this.port = port;
        this.initializer = initializer;
        this.countdown = new Countdown(port.limits().idleMax(), this::silent);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        countdown.start(context);
    }

    private void silent(ChannelHandlerContext context) {
        port.limits().metrics().closed(PortMetrics.Closure.SILENCE);
        var _ = context.close();
    }

    private void late(ChannelHandlerContext context) {
        port.limits().metrics().closed(PortMetrics.Closure.HEAD);
        release();
        refused = true;
        port.refused(HeadLimit.STATUS);
        var _ = context.write(port.limits().head().answer());
        LingeringClose.whenAllIsSent(context);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (refused) {
            bytes.release();
            return;
        }
        boolean begins = held == null;
        ByteBuf all = begins ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), held, bytes);
        held = all;
        if (isDecided(all)) {
            handOn(context, all);
        } else if (begins) {
            awaitRest(context);
        }
    }

    private void awaitRest(ChannelHandlerContext context) {
        countdown.cancel();
        countdown = new Countdown(port.limits().headMax(), this::late);
        countdown.start(context);
        port.unfinished(context.executor()).add(context);
    }

    private boolean isDecided(ByteBuf bytes) {
        return !canBeginRequest(bytes.getByte(bytes.readerIndex()))
                || bytes.readableBytes() > BYTES_MAX
                || endsHead(bytes);
    }

    private static boolean canBeginRequest(byte first) {
        return first == '\r' || first == '\n' || (first > ' ' && first < 0x7f);
    }

    /** Whether an empty line has come. Looks at each byte once. */
    private boolean endsHead(ByteBuf bytes) {
        int start = bytes.readerIndex();
        for (int length = bytes.readableBytes(); looked < length; looked++) {
            byte next = bytes.getByte(start + looked);
            if (next == '\n') {
                if (lineIsEmpty) {
                    return true;
                }
                lineIsEmpty = begun; // Empty lines before a request say nothing.
            } else if (next != '\r') {
                begun = true;
                lineIsEmpty = false;
            }
        }
        return false;
    }

    private void handOn(ChannelHandlerContext context, ByteBuf bytes) {
        handedOn = true;
        held = null;
        countdown.cancel();
        try {
            building = true;
            port.build(context.channel(), initializer);
            building = false;
            context.fireChannelActive(); // Which the new handlers have missed.
        } catch (RuntimeException e) {
            bytes.release();
            var _ = context.close();
            throw e;
        }
        context.fireChannelRead(bytes);
        if (!context.isRemoved()) {
            context.pipeline().remove(this);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (handedOn) {
            context.fireChannelReadComplete();
        } else if (!refused) {
            context.read();
        }
    }

    /** The server begins to read as it builds the pipeline. But what it is to read first has come, and more is read when it asks for it. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (!building) {
            context.read();
        }
    }

    /** The client sends no more: the codec decides what becomes of the part of a head that it has sent. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        boolean isEnd = event instanceof ChannelInputShutdownEvent || event instanceof ChannelInputShutdownReadComplete;
        ByteBuf bytes = held;
        if (isEnd && bytes != null) {
            handOn(context, bytes);
            context.fireChannelReadComplete();
            context.fireUserEventTriggered(event);
        } else if (isEnd && !handedOn) {
            var _ = context.close();
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (handedOn) {
            context.fireExceptionCaught(cause);
        } else {
            var _ = context.close(); // A reset by the client, which expects no answer.
        }
    }

    /** Also when the connection has ended. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        countdown.cancel();
        port.unfinished(context.executor()).remove(context);
        release();
    }

    private void release() {
        if (held != null) {
            held.release();
            held = null;
        }
    }
}
