package dev.kvorum.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.EventExecutor;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import reactor.netty.ChannelPipelineConfigurer;
import reactor.netty.ConnectionObserver;

/**
 * Receives the new connections of a port. It admits each one within the {@linkplain PortLimits limits} and waits for its {@linkplain FirstHead first head}; then the
 * server builds the pipeline, and the port installs its guards there. Any event loop.
 *
 * <p>Reactor Netty builds the pipeline of a connection as soon as that is accepted. This class takes it apart again, and has the same initializer build it a second
 * time when there is something to serve. To build it twice takes some microseconds once per connection; to keep it takes memory for as long as a client is silent, and
 * a collector that copies it.
 */
public final class NewConnections implements ChannelPipelineConfigurer {
    private static final int UNFINISHED_SHARE = 16;
    private static final int UNFINISHED_MIN = 32;

    private final PortLimits limits;
    private final Map<EventExecutor, UnfinishedHeads> unfinished = new ConcurrentHashMap<>();
    private final Consumer<Channel> guards;
    private final Consumer<HttpStatus> refused;

    /**
     * @param guards installs the guards of a connection that is served, when it has its codec
     * @param refused is told the status of each answer to a head that took too long
     */
    public NewConnections(PortLimits limits, Consumer<Channel> guards, Consumer<HttpStatus> refused) {
        this.limits = limits;
        this.guards = guards;
        this.refused = refused;
    }

    PortLimits limits() {
        return limits;
    }

    /** The connections of that event loop whose first head is not whole: at most a sixteenth of all that the port may have. */
    UnfinishedHeads unfinished(EventExecutor loop) {
        return unfinished.computeIfAbsent(loop, another -> {
            int max = Math.max(UNFINISHED_MIN, limits.connections().max() / UNFINISHED_SHARE);
            return new UnfinishedHeads(max, this::crowdOut);
        });
    }

    private void crowdOut(ChannelHandlerContext connection) {
        limits.metrics().closed(PortMetrics.Closure.ROOM);
        var _ = connection.close();
    }

    void refused(HttpStatus status) {
        refused.accept(status);
    }

    /** Called each time when the server has built the pipeline of a connection. */
    @Override
    public void onChannelInit(ConnectionObserver observer, Channel channel, @Nullable SocketAddress remoteAddress) {
        ChannelPipeline pipeline = channel.pipeline();
        if (pipeline.get(FirstHead.class) == null && limits.admit(channel)) {
            ChannelHandler initializer = takeApart(pipeline);
            pipeline.addLast(new FirstHead(this, initializer));
        }
    }

    private static ChannelHandler takeApart(ChannelPipeline pipeline) {
        ChannelHandler initializer = null;
        for (var handler : pipeline.toMap().values()) {
            if (handler instanceof ChannelInitializer) {
                initializer = handler; // It removes itself.
            } else {
                pipeline.remove(handler);
            }
        }
        if (initializer == null) {
            throw new IllegalStateException("The server initializes its connections in a way that is not known here");
        }
        return initializer;
    }

    /** Builds the pipeline of HTTP, behind the handlers that the connection has. */
    void build(Channel channel, ChannelHandler initializer) {
        channel.pipeline().addLast(initializer); // Builds at once, as the connection is registered with its event loop.
        guards.accept(channel);
    }
}
