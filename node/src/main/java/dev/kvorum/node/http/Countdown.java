package dev.kvorum.node.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The time that a part of a request may take to arrive on one connection. It runs once until it is cancelled. On the event loop of the connection. */
public final class Countdown {
    private final long millis;
    private final Consumer<ChannelHandlerContext> late;
    private @Nullable ScheduledFuture<?> end;

    /** @param late called when the time is over, with the context that started it */
    public Countdown(Duration time, Consumer<ChannelHandlerContext> late) {
        this.millis = time.toMillis();
        this.late = late;
    }

    /** Does nothing if it has been started before, and not cancelled. */
    public void start(ChannelHandlerContext context) {
        if (end == null) {
            end = context.executor().schedule(() -> late.accept(context), millis, TimeUnit.MILLISECONDS);
        }
    }

    public void cancel() {
        if (end != null) {
            end.cancel(false);
            end = null;
        }
    }
}
