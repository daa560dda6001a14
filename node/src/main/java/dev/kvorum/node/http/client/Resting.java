package dev.kvorum.node.http.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one event loop from which nothing is read for a while, because they were refused. Their clients were told to come
 * back later; of those that do not wait, the next request does, in the socket, where it costs nothing. However many hurry, a loop
 * refuses no more than {@value #REFUSALS_PER_SECOND_MAX} times a second, and the rest of its time is for those it serves.
 *
 * <p>Confined to the thread of its loop.
 */
final class Resting {
    static final int REFUSALS_PER_SECOND_MAX = 2000;
    static final long MILLIS_MIN = 10;
    static final long MILLIS_MAX = 1000;
    private static final String NAME = "kvorum.resting";

    private int connections;

    int connections() {
        return connections;
    }

    /** Lets a connection rest, the longer the more do; one that rests already goes on as it was to. */
    void begin(Channel channel) {
        if (!channel.isActive() || channel.pipeline().get(NAME) != null) {
            return;
        }
        connections++;
        channel.config().setAutoRead(false); // Or the system goes on telling that there is something to read.
        channel.pipeline().addFirst(NAME, new Unread());
        long millis = Math.clamp(connections * 1000L / REFUSALS_PER_SECOND_MAX, MILLIS_MIN, MILLIS_MAX);
        var _ = channel.eventLoop().schedule(() -> end(channel), millis, TimeUnit.MILLISECONDS);
    }

    private void end(Channel channel) {
        connections--;
        if (channel.isActive()) {
            channel.pipeline().remove(NAME);
            channel.config().setAutoRead(true);
            channel.read(); // The server may have set that meanwhile, in vain.
        }
    }

    /** The server asks for the next request when it has answered one. */
    private static final class Unread extends ChannelOutboundHandlerAdapter {
        @Override
        public void read(ChannelHandlerContext context) {}
    }
}
