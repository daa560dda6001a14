package dev.kvorum.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import reactor.netty.NettyPipeline;

/** Counts long answers against the budget of the node until the system has taken them: their client may not take them from it. */
public final class AnswerGuard extends ChannelOutboundHandlerAdapter {
    /** Answers shorter than that are not counted: the limit on connections bounds them. */
    public static final int COUNTED_MIN = 4096;

    private static final String NAME = "kvorum.answerGuard";

    private final ByteBudget budget;

    private AnswerGuard(ByteBudget budget) {
        this.budget = budget;
    }

    /** Guards one connection of an HTTP server. */
    public static void install(Channel channel, ByteBudget budget) {
        channel.pipeline().addAfter(NettyPipeline.HttpCodec, NAME, new AnswerGuard(budget));
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpContent content && content.content().readableBytes() >= COUNTED_MIN) {
            int bytes = content.content().readableBytes();
            budget.charge(bytes);
            var _ = promise.addListener(end -> budget.giveBack(bytes));
        }
        var _ = context.write(message, promise);
    }
}
