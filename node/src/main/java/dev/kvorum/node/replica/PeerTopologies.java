package dev.kvorum.node.replica;

import dev.kvorum.node.frame.FrameService.Reply;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientResponse;
import reactor.core.publisher.Mono;

/** Exchanges topologies with other members: asks them through WebClient, and answers them. Any thread. */
public final class PeerTopologies implements TopologyExchange.Call {
    private static final Logger LOG = LoggerFactory.getLogger(PeerTopologies.class);

    private final PeerClient client;
    private final Membership membership;

    /** @param client answers or fails in bounded time */
    public PeerTopologies(PeerClient client, Membership membership) {
        this.client = client;
        this.membership = membership;
    }

    @Override
    public Mono<byte[]> exchange(Member member, byte[] present) {
        ClusterView view = membership.view();
        return client.call(
                PeerClient.address(member.peer(), PeerOperation.TOPOLOGY),
                buffers -> PeerProtocol.encode(buffers, view.epoch(), view.digest(), present),
                PeerTopologies::topology);
    }

    private static Mono<byte[]> topology(ClientResponse response) {
        return response.statusCode().equals(HttpStatus.OK)
                ? PeerClient.body(response, TopologyExchange.BYTES_MAX).filter(body -> body.length > 0)
                : response.releaseBody()
                        .then(Mono.error(() -> new MalformedCallException(
                                "answered " + response.statusCode().value())));
    }

    /** Serves the exchanges that other members begin. */
    public static void serve(PeerService service, TopologyExchange exchange) {
        service.on(
                PeerOperation.TOPOLOGY,
                (body, epoch) ->
                        exchange.answer(body.rest()).map(PeerService::done).onErrorResume(e -> Mono.just(notTaken(e))));
    }

    private static Reply notTaken(Throwable e) {
        return switch (e) {
            case InvalidTopologyException invalid ->
                PeerService.text(HttpStatus.BAD_REQUEST, String.valueOf(invalid.getMessage()));
            case RejectedExecutionException full ->
                PeerService.text(HttpStatus.SERVICE_UNAVAILABLE, "too many topologies");
            default -> {
                LOG.error("A topology that another member sent could not be adopted", e);
                yield PeerService.text(HttpStatus.INTERNAL_SERVER_ERROR, "it could not be adopted");
            }
        };
    }
}
