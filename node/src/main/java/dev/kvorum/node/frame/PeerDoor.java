package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.StringUtils;

/** What all serving connections of a node have in common: whom they let in, what they serve, and how they end. Any thread. */
public final class PeerDoor {
    private static final Logger LOG = LoggerFactory.getLogger(PeerDoor.class);
    private static final long BETWEEN_WARNINGS = TimeUnit.SECONDS.toNanos(10);

    private final FrameService service;
    private final PeerIdentity self;
    private final FrameLimits limits;
    private final FrameMetrics metrics;
    private final Consumer<Channel> greeted;
    private final Set<ServingConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private volatile long warnedAt = System.nanoTime() - BETWEEN_WARNINGS;

    /** @param self this node: callers that mean another member, or belong to another cluster, are refused */
    public PeerDoor(FrameService service, PeerIdentity self, FrameLimits limits, FrameMetrics metrics) {
        this(service, self, limits, metrics, member -> {});
    }

    /** @param greeted is told of the connection of a caller that has greeted as a member does, on its event loop */
    public PeerDoor(
            FrameService service,
            PeerIdentity self,
            FrameLimits limits,
            FrameMetrics metrics,
            Consumer<Channel> greeted) {
        this.greeted = greeted;
        this.service = service;
        this.self = self;
        this.limits = limits;
        this.metrics = metrics;
    }

    FrameService service() {
        return service;
    }

    FrameLimits limits() {
        return limits;
    }

    FrameMetrics metrics() {
        return metrics;
    }

    PeerIdentity self() {
        return self;
    }

    /**
     * Why a caller is not let in.
     *
     * @param head of the GOODBYE
     */
    record Refusal(int head, String words) {}

    /** Why that greeting does not open the door, or null if it does. */
    @Nullable
    Refusal refusalOf(ByteBuf body) {
        Greeting.Hello hello = Greeting.readHello(body);
        if (hello.version() < Greeting.VERSION) { // A newer caller speaks the older version as well.
            return new Refusal(
                    0, "version " + hello.version() + " of the protocol is not spoken here, but " + Greeting.VERSION);
        }
        String named = hello.caller().cluster();
        if (self.cluster() != null && named != null && !self.cluster().equals(named)) {
            return new Refusal(
                    0,
                    "this is a member of cluster \"" + self.cluster() + "\", not of \"" + StringUtils.truncate(named)
                            + "\"");
        }
        String mistake = self.mistake(hello.meant());
        return mistake == null ? null : new Refusal(Greeting.MISTAKEN, mistake);
    }

    /** Says so in the log, but not for each attempt: who is refused comes back at once. */
    void refused(SocketAddress caller, String refusal) {
        long now = System.nanoTime();
        if (now - warnedAt >= BETWEEN_WARNINGS) {
            warnedAt = now;
            LOG.warn("{} is refused: {}", caller, refusal);
        }
    }

    /**
     * Serves a connection if it speaks frames, which begin with a 0. On the event loop of the connection.
     *
     * @param bytes its first ones, at least one
     * @return false if it does not speak frames
     */
    public boolean serves(Channel channel, ByteBuf bytes) {
        if (bytes.getByte(bytes.readerIndex()) != 0) {
            return false;
        }
        ServingConnection connection = new ServingConnection(channel, this);
        channel.pipeline().addLast("kvorum.frames", new FrameDecoder(connection));
        channel.pipeline().addLast("kvorum.calls", connection);
        channel.config().setAutoRead(true);
        return true;
    }

    void greeted(Channel channel) {
        greeted.accept(channel);
    }

    /** Lets a connection in; false if the node is about to stop. */
    boolean opened(ServingConnection connection) {
        connections.add(connection);
        return !closed; // Looked at after adding: either this sees it, or whoever closes sees the connection.
    }

    void closed(ServingConnection connection) {
        connections.remove(connection);
    }

    /**
     * Lets the calls that are being served end, refuses further ones as a node does that is overloaded, and closes all connections.
     * Blocks.
     *
     * @return false if some calls were left at the end of that time
     */
    public boolean close(Duration atMost) throws InterruptedException {
        closed = true;
        long end = System.nanoTime() + atMost.toNanos();
        boolean drained = true;
        for (Future<Void> done :
                connections.stream().map(ServingConnection::drain).toList()) {
            drained &= done.await(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
        connections.forEach(ServingConnection::close);
        return drained;
    }
}
