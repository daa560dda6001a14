package dev.kvorum.node.http.peer;

import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.http.SlowClientGuard;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** The port on which the other members reach this node. Started and stopped once, by one thread. */
public final class PeerServer {
    private static final Logger LOG = LoggerFactory.getLogger(PeerServer.class);
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    private final HttpServer server;
    private final int port;
    private @Nullable DisposableServer bound;

    /** @param port 0 takes a free one */
    public PeerServer(String address, int port, HttpHandler handler, LoopResources loops, HttpSettings limits) {
        this.port = port;
        this.server = HttpServer.create()
                .host(address)
                .port(port)
                .runOn(loops)
                .channelGroup(
                        new DefaultChannelGroup(GlobalEventExecutor.INSTANCE)) // Known, they are drained on stopping.
                .idleTimeout(Duration.ofHours(1)) // The callers close what they do not need; this only finds the dead.
                .doOnChannelInit(
                        (observer, channel, remote) -> SlowClientGuard.install(channel, limits.headerTimeout()))
                .handle(new ReactorHttpHandlerAdapter(handler));
    }

    /** Binds the port. Blocks. */
    public void start() {
        try {
            bound = server.bindNow();
        } catch (ChannelBindException e) {
            throw e.getCause() instanceof BindException ? new PortInUseException(port, e) : e;
        }
        LOG.info("Peers are served on port {}", port());
    }

    /** The port in use. */
    public int port() {
        DisposableServer now = bound;
        return now == null ? port : now.port();
    }

    public boolean isRunning() {
        return bound != null;
    }

    /** Takes no more connections, lets calls that have begun end, and closes. Blocks. */
    public void stop() {
        DisposableServer now = bound;
        bound = null;
        if (now != null) {
            now.disposeNow(STOP_MAX);
        }
    }
}
