package dev.kvorum.node.replica;

import io.micrometer.core.instrument.Counter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Counts a connection when it is open: one that nobody accepts is none. */
final class OpenedCount extends ChannelInboundHandlerAdapter {
    private final Counter opened;

    OpenedCount(Counter opened) {
        this.opened = opened;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        opened.increment();
        context.fireChannelActive();
    }
}
