package dev.kvorum.node.http.client;

import dev.kvorum.node.coordinator.InvalidQuorumException;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.Disconnect;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/**
 * From path and method to what serves them. A plain handler: what a dispatcher adds is not needed here and would cost as much as
 * the work itself.
 */
public final class ClientHandler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ClientHandler.class);
    /** Path of the operations on entities. */
    public static final String ENTITY = "/v0/entity";

    private static final String TOPOLOGY = "/v0/topology";

    private final EntityHandler entities;
    private final TopologyHandler topology;
    private final ClientMetrics metrics;

    public ClientHandler(EntityHandler entities, TopologyHandler topology, ClientMetrics metrics) {
        this.entities = entities;
        this.topology = topology;
        this.metrics = metrics;
    }

    @Override
    public Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
        Mono<Void> answer = answer(request, response);
        // What is written to a HEAD request is dropped before it commits the response.
        return request.getMethod().equals(HttpMethod.HEAD) ? answer.then(Mono.defer(response::setComplete)) : answer;
    }

    private Mono<Void> answer(ServerHttpRequest request, ServerHttpResponse response) {
        try {
            return route(request, response)
                    .doOnCancel(metrics::gone) // Whoever goes away while its body arrives fails instead.
                    .onErrorResume(e -> failed(e, request, response));
        } catch (RuntimeException e) {
            return failed(e, request, response);
        }
    }

    private Mono<Void> route(ServerHttpRequest request, ServerHttpResponse response) {
        String path = request.getURI().getRawPath();
        return switch (path) {
            case ENTITY -> entity(request, response);
            case TOPOLOGY ->
                switch (request.getMethod().name()) {
                    case "GET", "HEAD" -> topology.get(request, response);
                    default -> notAllowed(request, response, HttpMethod.GET, HttpMethod.HEAD);
                };
            default ->
                throw RefusedRequestException.of(Problem.badRequest(
                        "unknown-path", "nothing is served at " + path + "; there are " + ENTITY + " and " + TOPOLOGY));
        };
    }

    private Mono<Void> entity(ServerHttpRequest request, ServerHttpResponse response) {
        if (!request.getMethod().equals(HttpMethod.PUT) && Body.isIn(request)) {
            response.getHeaders()
                    .set(HttpHeaders.CONNECTION, "close"); // Nobody will read that body, or wait for its end.
        }
        return switch (request.getMethod().name()) {
            case "GET", "HEAD" -> entities.get(request, response);
            case "PUT" -> entities.put(request, response);
            case "DELETE" -> entities.delete(request, response);
            default ->
                notAllowed(request, response, HttpMethod.GET, HttpMethod.HEAD, HttpMethod.PUT, HttpMethod.DELETE);
        };
    }

    private static Mono<Void> notAllowed(
            ServerHttpRequest request, ServerHttpResponse response, HttpMethod... allowed) {
        List<String> names = List.of(allowed).stream().map(HttpMethod::name).toList();
        response.getHeaders().set(HttpHeaders.ALLOW, String.join(", ", names));
        throw RefusedRequestException.of(Problem.of(
                HttpStatus.METHOD_NOT_ALLOWED,
                "method-not-allowed",
                request.getMethod() + " is not served here; there are " + String.join(", ", names)));
    }

    private Mono<Void> failed(Throwable e, ServerHttpRequest request, ServerHttpResponse response) {
        if (e instanceof RefusedRequestException refused) {
            metrics.refused(refused.problem().status());
            return refused.answer(request, response);
        }
        if (e instanceof InvalidQuorumException invalid) {
            metrics.refused(HttpStatus.BAD_REQUEST);
            Problem problem = Problem.badRequest("invalid-quorum", String.valueOf(invalid.getMessage()));
            return RefusedRequestException.of(problem).answer(request, response);
        }
        if (Disconnect.isMeantBy(e)) {
            metrics.gone();
            return Mono.empty();
        }
        if (response.isCommitted()) {
            return Mono.error(e); // Half an answer is out: the server closes the connection.
        }
        metrics.failed();
        LOG.error("A request ended in an error that nobody expected", e);
        return Problem.of(HttpStatus.INTERNAL_SERVER_ERROR, "internal", "the node failed; its log says why")
                .send(response);
    }
}
