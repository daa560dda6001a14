package dev.kvorum.simulation.network;

import dev.kvorum.node.replica.PeerClient;
import dev.kvorum.node.replica.Peers;
import dev.kvorum.topology.Member;
import java.net.URI;
import java.util.Collection;
import java.util.stream.Collectors;
import org.springframework.web.reactive.function.client.WebClient;

/** The ways of one process to the other members. No connection is made or closed; each call says which member it means. */
public final class SimulatedPeers implements Peers {
    private final PeerLine line;
    private final PeerClient client;

    public SimulatedPeers(PeerLine line) {
        this.line = line;
        this.client = PeerClient.of(WebClient.builder().clientConnector(line).build());
    }

    @Override
    public PeerClient client() {
        return client;
    }

    @Override
    public void become(Collection<Member> members) {
        line.become(members.stream()
                .collect(Collectors.toMap(member -> member.peer().getHost(), Member::id)));
    }

    @Override
    public void hurry(URI member) {
        // Nothing waits before a call.
    }
}
