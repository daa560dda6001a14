package dev.kvorum.node.frame;

import java.net.URI;
import reactor.netty.tcp.TcpClient;

/**
 * What connects to peers.
 *
 * @param calls makes the connections that calls go over, on their event loops
 * @param scouts finds out whether somebody listens there, on an event loop that nothing else waits for: an attempt takes half a millisecond of it
 *     where code has not grown hot
 */
public record PeerClients(TcpClient calls, TcpClient scouts) {
    PeerClients to(URI peer) {
        return new PeerClients(
                calls.host(peer.getHost()).port(peer.getPort()),
                scouts.host(peer.getHost()).port(peer.getPort()));
    }
}
