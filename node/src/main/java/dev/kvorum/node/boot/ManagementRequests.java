package dev.kvorum.node.boot;

import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;

/** Requests on the management port: a POST needs no body, and a refusal is a problem document. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ManagementRequests implements WebFilter, WebExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementRequests.class);

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        boolean lacksBody = request.getMethod().equals(HttpMethod.POST)
                && !request.getHeaders().containsHeader(HttpHeaders.CONTENT_TYPE)
                && !Body.isIn(request);
        // An operation takes its parameters from JSON, and none at all are JSON as well.
        return lacksBody
                ? chain.filter(exchange.mutate()
                        .request(as -> as.headers(headers -> headers.setContentType(MediaType.APPLICATION_JSON)))
                        .build())
                : chain.filter(exchange);
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable e) {
        if (e instanceof AbortedException) {
            LOG.debug("A client has gone before its request was whole", e);
            return Mono.empty();
        }
        if (e instanceof RefusedRequestException refused
                && !exchange.getResponse().isCommitted()) {
            return refused.answer(exchange.getRequest(), exchange.getResponse());
        }
        if (!(e instanceof ResponseStatusException refusal)
                || exchange.getResponse().isCommitted()) {
            return Mono.error(e);
        }
        HttpStatus status = HttpStatus.valueOf(refusal.getStatusCode().value());
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.putAll(refusal.getHeaders());
        headers.remove(HttpHeaders.CONTENT_LENGTH);
        return Problem.of(status, nameOf(status), detailOf(status)).send(exchange.getResponse());
    }

    private static String nameOf(HttpStatus status) {
        return status.getReasonPhrase().toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    private static String detailOf(HttpStatus status) {
        return switch (status) {
            case NOT_FOUND -> "nothing is served here; GET /actuator lists what there is";
            case METHOD_NOT_ALLOWED -> "this method is not served here";
            case UNSUPPORTED_MEDIA_TYPE -> "send parameters as application/json";
            case BAD_REQUEST -> "a parameter is malformed or out of range";
            default -> "the request was refused";
        };
    }
}
