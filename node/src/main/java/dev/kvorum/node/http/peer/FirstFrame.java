package dev.kvorum.node.http.peer;

import dev.kvorum.node.frame.PeerDoor;
import dev.kvorum.node.http.Countdown;
import dev.kvorum.node.http.PortLimits;
import dev.kvorum.node.http.PortMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Holds a new connection to the members' port until its first bytes have come: a silent connection has no other handler, and holds no more memory. Closes a connection
 * that is silent for too long, or whose first byte is not that of a frame. On the event loop of the connection.
 */
final class FirstFrame extends ChannelInboundHandlerAdapter {
    private final PeerDoor door;
    private final PortLimits limits;
    private final Countdown countdown;

    FirstFrame(PeerDoor door, PortLimits limits) {
        this.door = door;
        this.limits = limits;
        this.countdown = new Countdown(limits.headMax(), this::silent);
    }

    private void silent(ChannelHandlerContext context) {
        limits.metrics().closed(PortMetrics.Closure.SILENCE);
        var _ = context.close();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        countdown.start(context);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        countdown.cancel();
        if (door.serves(context.channel(), bytes)) {
            context.fireChannelRead(bytes);
            context.pipeline().remove(this);
        } else {
            bytes.release();
            limits.metrics().closed(PortMetrics.Closure.NO_FRAME);
            var _ = context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var _ = context.close(); // A reset by the other side, which expects no answer.
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        countdown.cancel();
    }
}
