package dev.kvorum.node.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection in stages (RFC 9112, section 9.6): sends the end of the stream, reads and drops what still comes, and closes when
 * the client has closed. A close at once would reset the connection while the client still sends, and the reset may overtake the answer.
 *
 * <p>Drops at most {@value #BYTES_MAX} bytes, for at most {@value #MILLIS_MAX} ms. First in the pipeline, on its event loop.
 */
final class LingeringClose extends ChannelDuplexHandler {
    static final long BYTES_MAX = 16 << 20;
    static final long MILLIS_MAX = 5_000;
    private static final String NAME = "kvorum.lingeringClose";

    private long dropped;
    private @Nullable ScheduledFuture<?> end;

    private LingeringClose() {}

    /** Begins to close a connection whose answers have all been taken by the system. False if it can only be closed at once. */
    static boolean begin(Channel channel) {
        if (!(channel instanceof DuplexChannel duplex) || !channel.isActive() || duplex.isOutputShutdown()) {
            return false;
        }
        channel.pipeline().addFirst(NAME, new LingeringClose());
        return true;
    }

    /** Closes a connection in stages as soon as the system has taken all that was written to it, or at once if it can only be closed so. */
    static void whenAllIsSent(ChannelHandlerContext context) {
        var _ = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> {
            if (!begin(context.channel())) {
                close(context);
            }
        });
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        end = context.executor().schedule(() -> close(context), MILLIS_MAX, TimeUnit.MILLISECONDS);
        context.channel().config().setAutoRead(false);
        DuplexChannel channel = (DuplexChannel) context.channel();
        var _ = channel.shutdownOutput().addListener(sent -> {
            if (sent.isSuccess()) {
                context.read();
            } else {
                close(context);
            }
        });
    }

    private static void close(ChannelHandlerContext context) {
        var _ = context.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        dropped += message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (dropped > BYTES_MAX) {
            close(context);
        } else {
            context.read(); // Nobody behind this handler asks for more.
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent || event instanceof ChannelInputShutdownReadComplete) {
            close(context);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        close(context); // A reset by the client, who needs no further answer.
    }

    /** A close by a handler behind this one ends when the connection is closed. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        var _ = context.channel().closeFuture().addListener(end -> promise.trySuccess());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (end != null) {
            end.cancel(false);
        }
    }
}
