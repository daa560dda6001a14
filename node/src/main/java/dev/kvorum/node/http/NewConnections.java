package dev.kvorum.node.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import java.net.SocketAddress;
import java.time.Duration;
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
    /** Finds out by the first bytes what a connection speaks, and serves it. */
    public interface Protocol {
        /**
         * Called once with the first bytes of a connection, at least one, on its event loop. The bytes stay those of the caller.
         *
         * @return true if it has installed handlers of its own; false if the connection speaks HTTP
         */
        boolean serves(Channel channel, ByteBuf bytes);
    }

    private final PortLimits limits;
    private final Duration silenceMax;
    private final Protocol other;
    private final Consumer<Channel> guards;
    private final Consumer<HttpStatus> refused;

    /**
     * @param silenceMax how long a connection may send nothing at all
     * @param other is asked before HTTP is assumed
     * @param guards installs the guards of a connection that speaks HTTP, when it has its codec
     * @param refused is told the status of each answer to a head that took too long
     */
    public NewConnections(
            PortLimits limits,
            Duration silenceMax,
            Protocol other,
            Consumer<Channel> guards,
            Consumer<HttpStatus> refused) {
        this.limits = limits;
        this.silenceMax = silenceMax;
        this.other = other;
        this.guards = guards;
        this.refused = refused;
    }

    /** Of a port that speaks HTTP/1.1 alone. A connection may be silent at its beginning for as long as between requests. */
    public static NewConnections http1(PortLimits limits, Consumer<Channel> guards, Consumer<HttpStatus> refused) {
        return new NewConnections(limits, limits.idleMax(), (channel, bytes) -> false, guards, refused);
    }

    PortLimits limits() {
        return limits;
    }

    Duration silenceMax() {
        return silenceMax;
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

    /** Whether a connection does not speak HTTP; then it has the handlers that it needs. */
    boolean servesOther(Channel channel, ByteBuf bytes) {
        return other.serves(channel, bytes);
    }

    /** Builds the pipeline of HTTP, behind the handlers that the connection has. */
    void build(Channel channel, ChannelHandler initializer) {
        channel.pipeline().addLast(initializer); // Builds at once, as the connection is registered with its event loop.
        guards.accept(channel);
    }
}
