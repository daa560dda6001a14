package dev.kvorum.node.replica;

import dev.kvorum.node.frame.HeapBytes;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.topology.Member;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Exchanges topologies with other members through WebClient. Any thread. */
public final class PeerTopologies implements TopologyExchange.Call {
    private final WebClient client;
    private final Membership membership;

    /** @param client reaches any member, and answers or fails in bounded time */
    public PeerTopologies(WebClient client, Membership membership) {
        this.client = client;
        this.membership = membership;
    }

    @Override
    public Mono<byte[]> exchange(Member member, byte[] present) {
        long epoch = membership.view().epoch();
        return client.post()
                .uri(member.peer().resolve(PeerProtocol.TOPOLOGY))
                .body((request, context) -> request.writeWith(
                        Mono.fromSupplier(() -> PeerProtocol.encode(request.bufferFactory(), epoch, present))))
                .exchangeToMono(PeerTopologies::topology);
    }

    private static Mono<byte[]> topology(ClientResponse response) {
        return response.statusCode().equals(HttpStatus.OK)
                ? HeapBytes.joined(response.body(BodyExtractors.toDataBuffers()), TopologyExchange.BYTES_MAX)
                        .map(PeerProtocol::takeAll)
                : response.releaseBody()
                        .then(Mono.error(() -> new MalformedCallException(
                                "answered " + response.statusCode().value())));
    }
}
