package dev.kvorum.node.replica;

import dev.kvorum.node.frame.HeapBytes;
import dev.kvorum.topology.Member;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import reactor.core.publisher.Mono;

/** Calls over the same connections as those of {@link RemoteReplica}; they do not count for the health of a replica. Any thread. */
public final class RemoteCalls implements PeerCalls {
    private static final byte[] NOTHING = {};

    private final PeerAccess access;

    public RemoteCalls(PeerAccess access) {
        this.access = access;
    }

    @Override
    public Mono<CallReply> call(Member member, PeerOperation operation, long epoch, byte[] body) {
        return access.client()
                .web()
                .post()
                .uri(member.peer().resolve(operation.path()))
                .body((request, context) -> request.writeWith(
                        Mono.fromSupplier(() -> PeerProtocol.encode(request.bufferFactory(), epoch, body))))
                .exchangeToMono(response -> reply(member, response))
                .onErrorResume(e -> Mono.just(
                        RemoteReplica.failure(member.id(), e, access.settings().timeout())));
    }

    private Mono<CallReply> reply(Member member, ClientResponse response) {
        return response.statusCode().is2xxSuccessful()
                ? HeapBytes.joined(response.body(BodyExtractors.toDataBuffers()), access.answerMax())
                        .map(PeerProtocol::takeAll)
                        .defaultIfEmpty(NOTHING)
                        .map(CallReply.Done::new)
                : RemoteReplica.refusal(member, response, access.answerMax(), access.exchange())
                        .cast(CallReply.class);
    }
}
