package dev.kvorum.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import reactor.netty.NettyPipeline;

/**
 * Bounds what one connection leaves in memory. While many of its requests wait for their answers nothing more is read from it,
 * for the server itself would keep any number of pipelined requests; and long answers count against the budget of the node until
 * the system has taken them.
 */
public final class AnswerGuard extends ChannelDuplexHandler {
    /** Requests of one connection that may wait. One read of the socket can exceed it by what it brings. */
    static final int UNANSWERED_MAX = 16;

    /** Answers shorter than that are not counted: the limit on connections bounds them. */
    private static final int COUNTED_MIN = 4096;

    private static final String NAME = "kvorum.answerGuard";

    private final ByteBudget budget;
    private int unanswered;
    private boolean informing;
    private boolean readWithheld;

    private AnswerGuard(ByteBudget budget) {
        this.budget = budget;
    }

    /** Guards one connection of an HTTP server. */
    public static void install(Channel channel, ByteBudget budget) {
        channel.pipeline().addAfter(NettyPipeline.HttpCodec, NAME, new AnswerGuard(budget));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            unanswered++;
        }
        context.fireChannelRead(message);
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (unanswered >= UNANSWERED_MAX) {
            readWithheld = true;
        } else {
            context.read();
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response) {
            informing = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        }
        if (message instanceof HttpContent content && content.content().readableBytes() >= COUNTED_MIN) {
            count(content.content().readableBytes(), promise);
        }
        boolean answered = message instanceof LastHttpContent && !informing;
        var _ = context.write(message, promise);
        if (answered) {
            unanswered--;
            if (readWithheld && unanswered < UNANSWERED_MAX) {
                readWithheld = false;
                context.read();
            }
        }
    }

    private void count(int bytes, ChannelPromise promise) {
        budget.take(bytes);
        var _ = promise.addListener(end -> budget.give(bytes));
    }
}
