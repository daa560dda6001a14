package dev.kvorum.node.http.peer;

import dev.kvorum.node.frame.FrameService;
import dev.kvorum.node.frame.FrameService.Reply;
import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.Disconnect;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import dev.kvorum.node.replica.PeerProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Serves the calls of other members that come over HTTP. Any thread. */
public final class PeerHandler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(PeerHandler.class);

    private final FrameService service;
    private final @Nullable MemberHandler members;
    private final Body body;
    private final @Nullable String cluster;

    /**
     * @param members serves whoever changes them; null where nobody may
     * @param body gathers calls, which bounds their length
     * @param cluster calls that name another are refused; null if the topology names none
     */
    public PeerHandler(FrameService service, @Nullable MemberHandler members, Body body, @Nullable String cluster) {
        this.service = service;
        this.members = members;
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
        if (members != null && MemberHandler.isFor(request.getURI().getRawPath())) {
            return members.handle(request, response);
        }
        if (!request.getMethod().equals(HttpMethod.POST)) {
            throw malformed("only POST is served here");
        }
        if (!Body.isIn(request)) {
            throw malformed("the call has no body");
        }
        String path = request.getURI().getRawPath();
        // The service reads the call at once; what it then does is waited for after the body's buffer is released.
        Mono<Reply> ofNone = Mono.error(() -> malformed("the call has no body"));
        return body.gather(
                request,
                call -> service.serve(path, call),
                ofNone,
                reply -> reply.flatMap(answer -> {
                    AnswerGuard.require(request, answer.body().length);
                    return send(response, answer);
                }));
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

    private static Mono<Void> send(ServerHttpResponse response, Reply reply) {
        response.setStatusCode(reply.status());
        if (reply.status() == HttpStatus.NO_CONTENT) {
            return response.setComplete();
        }
        response.getHeaders().setContentLength(reply.body().length);
        return reply.body().length == 0
                ? response.setComplete()
                : response.writeWith(
                        Mono.fromSupplier(() -> response.bufferFactory().wrap(reply.body())));
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
        return send(response, new Reply(HttpStatus.INTERNAL_SERVER_ERROR, new byte[0]));
    }
}
