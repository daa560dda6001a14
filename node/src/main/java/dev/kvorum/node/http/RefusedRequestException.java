package dev.kvorum.node.http;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** A request that can't be served as it is. */
public final class RefusedRequestException extends RuntimeException {
    /** When to try again that for which there was no room. */
    public static final String RETRY_AFTER_SECONDS = "1";

    private final Problem problem;
    private final Rest rest;
    private byte @Nullable [] json; // Made when first sent; a race makes it twice.

    /** What becomes of the rest of the request. */
    private enum Rest {
        /** It is all there and taken in. */
        NONE,
        /** If it has a body, that is unread. */
        BODY,
        /** More of it comes, and is not wanted. */
        UNWANTED
    }

    private RefusedRequestException(Problem problem, Rest rest) {
        super(problem.detail(), null, false, false); // A client's mistake needs no stack trace.
        this.problem = problem;
        this.rest = rest;
    }

    /** The connection can serve the next request, unless a body is left unread. */
    public static RefusedRequestException of(Problem problem) {
        return new RefusedRequestException(problem, Rest.BODY);
    }

    /** The connection can serve the next request: of this one nothing is left unread, or its handler has seen to that. */
    public static RefusedRequestException afterBody(Problem problem) {
        return new RefusedRequestException(problem, Rest.NONE);
    }

    /** The rest of the request is not wanted: the connection is closed after the answer. */
    public static RefusedRequestException closing(Problem problem) {
        return new RefusedRequestException(problem, Rest.UNWANTED);
    }

    public Problem problem() {
        return problem;
    }

    /** Answers the request, and closes the connection where more of the request may come, which nobody will read. */
    public Mono<Void> answer(ServerHttpRequest request, ServerHttpResponse response) {
        HttpHeaders headers = response.getHeaders();
        if (rest == Rest.UNWANTED || (rest == Rest.BODY && Body.isIn(request))) {
            headers.set(HttpHeaders.CONNECTION, "close");
        }
        if (problem.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return Problem.sendJson(response, problem.status(), json());
    }

    private byte[] json() {
        byte[] made = json;
        if (made == null) {
            made = problem.toJson();
            json = made;
        }
        return made;
    }
}
