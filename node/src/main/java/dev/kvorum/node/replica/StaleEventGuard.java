package dev.kvorum.node.replica;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.channels.NotYetConnectedException;

/**
 * Keeps a connection from failing by what was meant for another, which was closed.
 *
 * <p>Netty's epoll loop finds the channel of an event by the number of its file descriptor. Where one handler closes a connection and opens
 * the next in the same turn of the loop, as cancelled calls do, the kernel gives that the same number, and what is left of the turn's
 * events for the old one reaches the new one: it is read from before it is connected. That error means nothing, since nobody reads so early.
 * Reactor Netty would fail the call with it, send it all the same, and then never take its answer nor give back its connection.
 */
@Sharable
final class StaleEventGuard extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable e) {
        if (!(e instanceof NotYetConnectedException) || context.channel().isActive()) {
            context.fireExceptionCaught(e);
        }
    }
}
