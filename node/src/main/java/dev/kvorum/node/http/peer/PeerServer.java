package dev.kvorum.node.http.peer;

import dev.kvorum.node.frame.PeerDoor;
import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.ConnectionLimit;
import dev.kvorum.node.http.NewConnections;
import dev.kvorum.node.http.PortLimits;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
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
    private static final Duration CLOSE_MAX = Duration.ofSeconds(1);

    private final ChannelGroup connections =
            new DefaultChannelGroup(GlobalEventExecutor.INSTANCE); // Those that speak HTTP.
    private final HttpServer server;
    private final ConnectionLimit accepted;
    private final PeerDoor door;
    private final int port;
    private @Nullable DisposableServer bound;

    /**
     * @param port 0 takes a free one
     * @param handler serves callers that speak HTTP/1.1
     * @param door lets in callers that speak frames
     */
    public PeerServer(
            String address, int port, HttpHandler handler, PeerDoor door, LoopResources loops, PeerPortLimits limits) {
        PortLimits bounds = limits.port();
        NewConnections newcomers = new NewConnections(
                bounds, bounds.headMax(), door::serves, channel -> guard(channel, limits), status -> {});
        this.port = port;
        this.accepted = bounds.connections();
        this.door = door;
        this.server = bounds.sendLimited(HttpServer.create())
                .host(address)
                .port(port)
                .runOn(loops)
                .channelGroup(connections) // Known, they are drained on stopping.
                .doOnChannelInit(newcomers)
                .handle(new ReactorHttpHandlerAdapter(handler));
    }

    private static void guard(Channel channel, PeerPortLimits limits) {
        limits.port().guardHttp1(channel);
        AnswerGuard.install(channel, limits.answers());
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
        if (now == null) {
            return;
        }
        accepted.admitNoMore();
        try {
            if (!door.close(STOP_MAX)) {
                LOG.warn("Peers had calls that were not answered when the node stopped");
            }
            now.disposeNow(STOP_MAX);
            if (!accepted.close(CLOSE_MAX)) { // Also those that have said nothing: the server does not know them yet.
                LOG.warn("Connections of peers could not be closed within {} s", CLOSE_MAX.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            now.disposeNow(STOP_MAX);
        }
    }
}
