package dev.kvorum.simulation.network;

import dev.kvorum.node.replica.PeerClient;
import dev.kvorum.node.replica.Peers;
import dev.kvorum.topology.Member;
import java.net.URI;
import java.util.Collection;
import org.springframework.web.reactive.function.client.WebClient;

/** The ways of one process to the other members. No connection is made or closed, so it does not matter which members there are. */
public final class SimulatedPeers implements Peers {
    private final PeerClient client;

    public SimulatedPeers(PeerLine line) {
        this.client = PeerClient.of(WebClient.builder().clientConnector(line).build());
    }

    @Override
    public PeerClient client() {
        return client;
    }

    @Override
    public void become(Collection<Member> members) {
        // The network reaches any member that is called.
    }

    @Override
    public void hurry(URI member) {
        // Nothing waits before a call.
    }
}
