package dev.kvorum.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Lets a port accept one connection each {@value #PAUSE_MILLIS} ms. A connection costs its event loop more than a request: thousands of newcomers at once would hold
 * up the requests of others. Newcomers wait in the system's queue meanwhile.
 *
 * <p>First in the pipeline of a server channel, on its event loop.
 */
final class AcceptPace extends ChannelInboundHandlerAdapter {
    static final long PAUSE_MILLIS = 1;
    private static final String NAME = "kvorum.acceptPace";

    private AcceptPace() {}

    /** Paces a server that is bound. Any thread. */
    static void install(Channel server) {
        server.pipeline().addFirst(NAME, new AcceptPace());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object connection) {
        Channel server = context.channel();
        server.config().setAutoRead(false); // Ends the accepting that is under way.
        var _ = context.executor()
                .schedule(() -> server.config().setAutoRead(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        context.fireChannelRead(connection);
    }
}
