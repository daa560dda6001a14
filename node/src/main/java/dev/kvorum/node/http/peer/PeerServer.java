package dev.kvorum.node.http.peer;

import dev.kvorum.node.frame.PeerDoor;
import dev.kvorum.node.http.ConnectionLimit;
import dev.kvorum.node.http.PortLimits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import java.net.BindException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.PortInUseException;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpServer;

/** The port on which the other members reach this node, by frames. Started and stopped once, by one thread. */
public final class PeerServer {
    private static final Logger LOG = LoggerFactory.getLogger(PeerServer.class);
    private static final Duration STOP_MAX = Duration.ofSeconds(5);
    private static final Duration CLOSE_MAX = Duration.ofSeconds(1);

    private final TcpServer server;
    private final PortLimits limits;
    private final ConnectionLimit accepted;
    private final PeerDoor door;
    private final int port;
    private @Nullable DisposableServer bound;

    /**
     * @param port 0 takes a free one
     * @param limits the time for a head is that for the first bytes of a connection
     */
    public PeerServer(String address, int port, PeerDoor door, LoopResources loops, PortLimits limits) {
        this.port = port;
        this.limits = limits;
        this.accepted = limits.connections();
        this.door = door;
        this.server = limits.sendLimited(TcpServer.create())
                .host(address)
                .port(port)
                .runOn(loops)
                .doOnChannelInit((observer, channel, remote) -> admit(channel));
    }

    private void admit(Channel channel) {
        if (limits.admit(channel)) {
            ChannelPipeline pipeline = channel.pipeline();
            pipeline.toMap().values().stream()
                    .filter(handler -> !(handler instanceof ChannelInitializer)) // It removes itself.
                    .forEach(pipeline::remove); // What Reactor Netty puts there serves its own operators.
            pipeline.addLast(new FirstFrame(door, limits));
        }
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
            if (!accepted.close(CLOSE_MAX)) { // Also those that have said nothing.
                LOG.warn("Connections of peers could not be closed within {} s", CLOSE_MAX.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            now.disposeNow(STOP_MAX);
        }
    }
}
