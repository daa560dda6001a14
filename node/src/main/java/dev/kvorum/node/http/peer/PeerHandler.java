package dev.kvorum.node.http.peer;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.Disconnect;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.WriteReply;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Serves the calls of other members from the local replica. Any thread. */
public final class PeerHandler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(PeerHandler.class);

    private final LocalReplica replica;
    private final Body body;
    private final @Nullable String cluster;

    /**
     * @param body gathers calls, which bounds their length
     * @param cluster calls that name another are refused; null if the topology names none
     */
    public PeerHandler(LocalReplica replica, Body body, @Nullable String cluster) {
        this.replica = replica;
        this.body = body;
        this.cluster = cluster;
    }

    @Override
    public Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
        try {
            return route(request, response).onErrorResume(e -> failed(e, request, response));
        } catch (RefusedRequestException e) {
            return failed(e, request, response);
        }
    }

    private Mono<Void> route(ServerHttpRequest request, ServerHttpResponse response) {
        requireThisCluster(request);
        String path = request.getURI().getRawPath();
        if (!request.getMethod().equals(HttpMethod.POST)) {
            throw malformed("only POST is served here");
        }
        return switch (path) {
            case PeerProtocol.READ ->
                gather(
                        request,
                        PeerProtocol::decodeRead,
                        key -> replica.read(key).flatMap(reply -> answer(response, reply)));
            case PeerProtocol.WRITE ->
                gather(
                        request,
                        PeerProtocol::decodeWrite,
                        call -> replica.write(call.key(), call.cell()).flatMap(reply -> answer(response, reply)));
            default -> throw malformed("nothing is served at " + path);
        };
    }

    private void requireThisCluster(ServerHttpRequest request) {
        String named = request.getHeaders().getFirst(PeerProtocol.CLUSTER);
        if (cluster != null && named != null && !cluster.equals(named)) {
            throw RefusedRequestException.closing(Problem.of(
                    HttpStatus.MISDIRECTED_REQUEST,
                    "another-cluster",
                    "this is a member of cluster \"" + cluster + "\""));
        }
    }

    private <B> Mono<Void> gather(
            ServerHttpRequest request, Function<DataBuffer, B> decode, Function<B, Mono<Void>> use) {
        if (!Body.isIn(request)) {
            throw malformed("the call has no body");
        }
        return body.<Optional<B>, Void>gather(
                        request,
                        buffer -> Optional.of(decode.apply(buffer)),
                        Optional.empty(),
                        call -> call.map(use).orElseThrow(() -> malformed("the call has no body")))
                .onErrorMap(InvalidKeyException.class, e -> malformed(String.valueOf(e.getMessage())))
                .onErrorMap(MalformedCellException.class, e -> malformed(String.valueOf(e.getMessage())));
    }

    private static Mono<Void> answer(ServerHttpResponse response, ReadReply reply) {
        return switch (reply) {
            case ReadReply.Found found -> send(response, found.cell());
            case ReadReply.Absent absent -> send(response, HttpStatus.NOT_FOUND);
            case ReplicaFailure failure -> send(response, PeerProtocol.statusOf(failure.reason()));
        };
    }

    private static Mono<Void> answer(ServerHttpResponse response, WriteReply reply) {
        return switch (reply) {
            case WriteReply.Stored stored -> send(response, HttpStatus.NO_CONTENT);
            case ReplicaFailure failure -> send(response, PeerProtocol.statusOf(failure.reason()));
        };
    }

    private static Mono<Void> send(ServerHttpResponse response, Cell cell) {
        response.setStatusCode(HttpStatus.OK);
        response.getHeaders().setContentLength(cell.bytes().length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(cell.bytes())));
    }

    private static Mono<Void> send(ServerHttpResponse response, HttpStatus status) {
        response.setStatusCode(status);
        if (status != HttpStatus.NO_CONTENT) {
            response.getHeaders().setContentLength(0);
        }
        return response.setComplete();
    }

    private static RefusedRequestException malformed(String detail) {
        return RefusedRequestException.of(Problem.badRequest("malformed-call", detail));
    }

    private static Mono<Void> failed(Throwable e, ServerHttpRequest request, ServerHttpResponse response) {
        if (e instanceof RefusedRequestException refused) {
            return refused.answer(request, response);
        }
        if (Disconnect.isMeantBy(e)) {
            return Mono.empty();
        }
        if (response.isCommitted()) {
            return Mono.error(e);
        }
        LOG.error("A peer's call ended in an error that nobody expected", e);
        return send(response, HttpStatus.INTERNAL_SERVER_ERROR);
    }
}
