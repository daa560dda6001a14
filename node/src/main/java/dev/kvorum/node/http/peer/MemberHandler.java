package dev.kvorum.node.http.peer;

import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import dev.kvorum.node.membership.RefusedTopologyException;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.topology.InvalidTopologyException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Serves whoever changes the members of the cluster: {@code docs/peer-protocol.md} describes the requests. Any thread. */
public final class MemberHandler {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String OVERLOADED =
            "this member has too much to do: try again"; // An executor's own words name classes.
    private static final byte[] NOTHING = {};

    private final MemberService service;
    private final Body body;

    /** @param body gathers requests, which bounds their length */
    public MemberHandler(MemberService service, Body body) {
        this.service = service;
        this.body = body;
    }

    /** Whether a path is one of these. */
    static boolean isFor(String path) {
        return path.startsWith("/v0/");
    }

    Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
        String path = request.getURI().getRawPath();
        HttpMethod method = request.getMethod();
        return switch (method + " " + path) {
            case "GET /v0/topology" -> json(response, service.topology());
            case "POST /v0/topology" ->
                gathered(request)
                        .flatMap(service::publish)
                        .flatMap(present -> json(response, present))
                        .onErrorMap(MemberHandler::refusal);
            case "GET /v0/member" -> service.report().flatMap(report -> json(response, report));
            case "GET /v0/sizes" ->
                service.sizes().flatMap(sizes -> json(response, sizes)).onErrorMap(MemberHandler::overload);
            case "POST /v0/settled" -> gathered(request).flatMap(told -> settled(told, response));
            default ->
                throw refused(HttpStatus.BAD_REQUEST, "unknown-request", "nothing is served at " + method + " " + path);
        };
    }

    private Mono<byte[]> gathered(ServerHttpRequest request) {
        return body.gather(request, PeerProtocol::read, NOTHING, Mono::just);
    }

    private Mono<Void> settled(byte[] told, ServerHttpResponse response) {
        Settled call = Settled.read(told);
        service.settle(call.epoch, call.gone).ifPresent(reason -> {
            throw afterBody(HttpStatus.CONFLICT, "not-settled", reason);
        });
        response.setStatusCode(HttpStatus.NO_CONTENT);
        return response.setComplete();
    }

    private static Throwable refusal(Throwable e) {
        return switch (e) {
            case RefusedTopologyException refused ->
                afterBody(HttpStatus.CONFLICT, "refused-topology", String.valueOf(refused.getMessage()));
            case InvalidTopologyException invalid ->
                afterBody(HttpStatus.BAD_REQUEST, "invalid-topology", String.valueOf(invalid.getMessage()));
            case RejectedExecutionException full -> afterBody(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", OVERLOADED);
            default -> e;
        };
    }

    private static Throwable overload(Throwable e) {
        return e instanceof RejectedExecutionException
                ? refused(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", OVERLOADED)
                : e;
    }

    private static RefusedRequestException afterBody(HttpStatus status, String name, String detail) {
        return RefusedRequestException.afterBody(Problem.of(status, name, detail));
    }

    private static RefusedRequestException refused(HttpStatus status, String name, String detail) {
        return RefusedRequestException.of(Problem.of(status, name, detail));
    }

    private static Mono<Void> json(ServerHttpResponse response, byte[] json) {
        response.setStatusCode(HttpStatus.OK);
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        response.getHeaders().setContentLength(json.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(json)));
    }

    /** What a node is told when all go by a change. */
    private record Settled(long epoch, Set<String> gone) {
        static Settled read(byte[] json) {
            JsonNode told = parse(json);
            JsonNode epoch = told.path("epoch");
            JsonNode gone = told.path("gone");
            if (!epoch.canConvertToLong() || !(gone.isMissingNode() || gone.isArray())) {
                throw malformed();
            }
            Set<String> ids = new HashSet<>();
            for (JsonNode id : gone) {
                if (!id.isString()) {
                    throw malformed();
                }
                ids.add(id.stringValue());
            }
            return new Settled(epoch.longValue(), ids);
        }

        private static JsonNode parse(byte[] json) {
            try {
                return JSON.readTree(json);
            } catch (JacksonException e) {
                throw malformed();
            }
        }

        private static RefusedRequestException malformed() {
            return afterBody(
                    HttpStatus.BAD_REQUEST,
                    "malformed-request",
                    "the body must be like {\"epoch\": 7, \"gone\": [\"n3\"]}");
        }
    }
}
