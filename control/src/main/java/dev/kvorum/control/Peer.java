package dev.kvorum.control;

import dev.kvorum.topology.Member;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A node that need not be a member: it is to join, or has left.
 *
 * @param peer address of its port for members
 */
public record Peer(String id, URI peer) {
    private static final int PEERS_MAX = 100;

    public static Peer of(Member member) {
        return new Peer(member.id(), member.peer());
    }

    /** As one parameter of a request: {@code n4=http://10.0.0.7:9090,n5=...}. */
    static String write(Collection<Peer> peers) {
        return peers.stream().map(peer -> peer.id + "=" + peer.peer).collect(Collectors.joining(","));
    }

    /** @throws IllegalArgumentException if these are none */
    public static List<Peer> read(String peers) {
        List<Peer> read = new ArrayList<>();
        for (String peer : peers.isEmpty() ? new String[0] : peers.split(",", -1)) {
            int equals = peer.indexOf('=');
            if (equals < 1 || read.size() == PEERS_MAX) {
                throw malformed(peer);
            }
            URI address = address(peer, peer.substring(equals + 1));
            read.add(new Peer(peer.substring(0, equals), address));
        }
        return read;
    }

    private static URI address(String peer, String address) {
        try {
            URI read = URI.create(address);
            if ("http".equals(read.getScheme()) && read.getHost() != null && read.getPort() > 0) {
                return read;
            }
        } catch (IllegalArgumentException e) {
            throw malformed(peer);
        }
        throw malformed(peer);
    }

    private static IllegalArgumentException malformed(String peer) {
        return new IllegalArgumentException(
                "\"" + peer + "\" must be like n4=http://10.0.0.7:9090, and there may be " + PEERS_MAX + " of them");
    }
}
