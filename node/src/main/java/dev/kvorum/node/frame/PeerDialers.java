package dev.kvorum.node.frame;

import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Executor;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;

/**
 * What connects to peers.
 *
 * @param calls makes the connections that calls go over
 * @param homes the event loop of each of these connections to a peer
 * @param scouts finds out whether connecting succeeds again where it has failed. An attempt takes half a millisecond where its code has not grown hot
 * @param scoutLoop of the scouts: nothing else waits for it
 */
public record PeerDialers(TcpClient calls, List<EventLoop> homes, TcpClient scouts, Executor scoutLoop) {
    public PeerDialers {
        homes = List.copyOf(homes);
    }

    /**
     * @param calls runs on the event loops of requests
     * @param homes the event loop of each connection to a peer
     * @param scouts runs on loops of their own
     * @param loops of the scouts. Their thread is started here, where it fails the start of the node if there can be none, and gives way to others as far as the
     *     JVM's options let it
     */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: it is how Java says nice.
    public static PeerDialers of(TcpClient calls, List<EventLoop> homes, TcpClient scouts, LoopResources loops) {
        Executor loop = loops.onClient(true).next();
        loop.execute(() -> Thread.currentThread().setPriority(Thread.MIN_PRIORITY));
        return new PeerDialers(calls, homes, scouts, loop);
    }

    PeerDialers to(URI peer) {
        return new PeerDialers(
                calls.host(peer.getHost()).port(peer.getPort()),
                homes,
                scouts.host(peer.getHost()).port(peer.getPort()),
                scoutLoop);
    }

    /** Where the peer is, for logs. */
    SocketAddress peer() {
        return calls.configuration().remoteAddress().get();
    }
}
