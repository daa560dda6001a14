package dev.kvorum.node.admission;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one event loop from which nothing is read for a while, because they were refused. Their clients were told to come
 * back later; of those that do not wait, the next request does, in the socket, where it costs nothing. While up to a thousand hurry, a loop
 * refuses no more than {@value #REFUSALS_PER_SECOND_MAX} times a second, and each of them once a second where they are more; the rest of its time is for those it serves. When nobody has waited for
 * some milliseconds they are read before their time, first who has rested longest.
 *
 * <p>Confined to the thread of its loop.
 */
final class Resting {
    static final int REFUSALS_PER_SECOND_MAX = 1000;
    static final long MILLIS_MIN = 10;
    static final long MILLIS_MAX = 1000;
    private static final String NAME = "kvorum.resting";

    private final Queue<Rest> rests =
            new ArrayDeque<>(); // In the order in which they began, also some that have ended.
    private int connections;

    int connections() {
        return connections;
    }

    /** Whether a connection rests. */
    boolean has(Channel channel) {
        return channel.pipeline().get(NAME) != null;
    }

    /** Lets a connection rest, the longer the more do; one that rests already goes on as it was to. */
    void begin(Channel channel) {
        if (!channel.isActive() || has(channel)) {
            return;
        }
        connections++;
        channel.config().setAutoRead(false); // Or the system goes on telling that there is something to read.
        Rest rest = new Rest(channel);
        channel.pipeline().addFirst(NAME, rest);
        rests.add(rest);
        long millis = Math.clamp(connections * 1000L / REFUSALS_PER_SECOND_MAX, MILLIS_MIN, MILLIS_MAX);
        var _ = channel.eventLoop().schedule(() -> endByTime(rest), millis, TimeUnit.MILLISECONDS);
    }

    /** There is room for so many operations more: as many connections have rested long enough. Whether others still rest. */
    boolean wake(int room) {
        int left = room;
        while (left > 0 && !rests.isEmpty()) {
            left -= rests.remove().end() ? 1 : 0;
        }
        return connections > 0;
    }

    /** The time is over of one that may have ended before. */
    private void endByTime(Rest rest) {
        boolean _ = rest.end();
        while (!rests.isEmpty() && rests.peek().ended) {
            rests.remove();
        }
    }

    /** One connection that rests, once. The server asks for the next request when it has answered one, and is not heard. */
    private final class Rest extends ChannelOutboundHandlerAdapter {
        private final Channel channel;
        private boolean ended;

        Rest(Channel channel) {
            this.channel = channel;
        }

        @Override
        public void read(ChannelHandlerContext context) {}

        /** Whether it had not ended, and something can come from there now. */
        boolean end() {
            if (ended) {
                return false;
            }
            ended = true;
            connections--;
            if (!channel.isActive()) {
                return false;
            }
            channel.pipeline().remove(this);
            channel.config().setAutoRead(true);
            channel.read(); // The server may have set that meanwhile, in vain.
            return true;
        }
    }
}
