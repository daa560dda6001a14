package dev.kvorum.node.frame;

import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/** The clock of a connection: without it what is late would be kept for ever, so an error in it ends the connection as any other does. */
final class Ticking {
    private final ScheduledFuture<?> ticks;

    /** @param task runs again and again on the channel's event loop */
    Ticking(Channel channel, Runnable task, Duration pause) {
        this.ticks = channel.eventLoop()
                .scheduleWithFixedDelay(task, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
        ticks.addListener(end -> {
            if (end.cause() != null && !(end.cause() instanceof CancellationException)) {
                channel.pipeline().fireExceptionCaught(end.cause());
            }
        });
    }

    void stop() {
        ticks.cancel(false);
    }
}
