package dev.kvorum.node.replica;

import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.frame.HeapBytes;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.topology.Member;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Calls over the same connections as those of {@link RemoteReplica}; they do not count for the health of a replica. Any thread. */
public final class RemoteCalls implements PeerCalls {
    private static final byte[] NOTHING = {};

    private final WebClient client;
    private final PeerSettings settings;
    private final int answerMax;
    private final TopologyExchange exchange;

    /**
     * @param client reaches any member, and answers or fails within the time that the settings give a call
     * @param answerMax longest answer, in bytes
     * @param exchange settles with a member which topology both go by
     */
    public RemoteCalls(WebClient client, PeerSettings settings, int answerMax, TopologyExchange exchange) {
        this.client = client;
        this.settings = settings;
        this.answerMax = answerMax;
        this.exchange = exchange;
    }

    @Override
    public Mono<CallReply> call(Member member, PeerOperation operation, long epoch, byte[] body) {
        return client.post()
                .uri(member.peer().resolve(operation.path()))
                .body((request, context) -> request.writeWith(
                        Mono.fromSupplier(() -> PeerProtocol.encode(request.bufferFactory(), epoch, body))))
                .exchangeToMono(response -> reply(member, response))
                .onErrorResume(e -> Mono.just(RemoteReplica.failure(member.id(), e, settings.timeout())));
    }

    private Mono<CallReply> reply(Member member, ClientResponse response) {
        return response.statusCode().is2xxSuccessful()
                ? HeapBytes.joined(response.body(BodyExtractors.toDataBuffers()), answerMax)
                        .map(PeerProtocol::takeAll)
                        .defaultIfEmpty(NOTHING)
                        .map(CallReply.Done::new)
                : RemoteReplica.refusal(member, response, answerMax, exchange).cast(CallReply.class);
    }
}
