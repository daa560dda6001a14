package dev.kvorum.node.http;

import io.netty.channel.ChannelHandlerContext;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Consumer;

/**
 * The connections of one event loop whose first head has begun to arrive and is not whole. There are at most so many: one more takes the place of the oldest. An honest
 * head is whole within a round trip, so its connection is not the oldest, and a crowd of slow ones holds little memory. On that event loop.
 */
final class UnfinishedHeads {
    private final int max;
    private final Consumer<ChannelHandlerContext> ended;
    private final SequencedSet<ChannelHandlerContext> connections = new LinkedHashSet<>();

    /** @param ended ends a connection that has lost its place */
    UnfinishedHeads(int max, Consumer<ChannelHandlerContext> ended) {
        this.max = max;
        this.ended = ended;
    }

    void add(ChannelHandlerContext connection) {
        connections.add(connection);
        if (connections.size() > max) {
            ended.accept(connections.removeFirst());
        }
    }

    /** Does nothing if it is none of them. */
    void remove(ChannelHandlerContext connection) {
        connections.remove(connection);
    }
}
