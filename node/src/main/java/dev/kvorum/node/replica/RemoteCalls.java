package dev.kvorum.node.replica;

import dev.kvorum.topology.Member;
import org.springframework.web.reactive.function.client.ClientResponse;
import reactor.core.publisher.Mono;

/** Calls over the same connections as those of {@link RemoteReplica}; they do not count for the health of a replica. Any thread. */
public final class RemoteCalls implements PeerCalls {
    private final PeerAccess access;

    public RemoteCalls(PeerAccess access) {
        this.access = access;
    }

    @Override
    public Mono<CallReply> call(Member member, PeerOperation operation, long epoch, byte[] body) {
        return access.client()
                .call(
                        PeerClient.address(member.peer(), operation),
                        buffers -> PeerProtocol.encode(
                                buffers, epoch, access.digests().applyAsLong(epoch), body),
                        response -> reply(member, response))
                .onErrorResume(e -> Mono.just(
                        CallFailures.of(member.id(), e, access.settings().timeout())));
    }

    private Mono<CallReply> reply(Member member, ClientResponse response) {
        return response.statusCode().is2xxSuccessful()
                ? PeerClient.body(response, access.answerMax()).map(CallReply.Done::new)
                : CallFailures.refused(member, response, access.answerMax(), access.exchange())
                        .cast(CallReply.class);
    }
}
