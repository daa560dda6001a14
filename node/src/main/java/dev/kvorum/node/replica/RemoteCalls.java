package dev.kvorum.node.replica;

import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.topology.Member;
import org.springframework.core.io.buffer.DataBufferUtils;
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

    /** @param answerMax longest answer, in bytes */
    public RemoteCalls(PeerTransport transport, PeerSettings settings, int answerMax) {
        this.client = transport.client();
        this.settings = settings;
        this.answerMax = answerMax;
    }

    @Override
    public Mono<CallReply> call(Member member, String path, byte[] body) {
        return client.post()
                .uri(member.peer().resolve(path))
                .body((request, context) -> request.writeWith(
                        Mono.fromSupplier(() -> request.bufferFactory().wrap(body))))
                .exchangeToMono(response -> reply(member, response))
                .onErrorResume(e -> Mono.just(RemoteReplica.failure(member.id(), e, settings.timeout())));
    }

    private Mono<CallReply> reply(Member member, ClientResponse response) {
        return response.statusCode().is2xxSuccessful()
                ? DataBufferUtils.join(response.body(BodyExtractors.toDataBuffers()), answerMax)
                        .map(PeerProtocol::takeAll)
                        .defaultIfEmpty(NOTHING)
                        .map(CallReply.Done::new)
                : RemoteReplica.refusal(member.id(), response).cast(CallReply.class);
    }
}
