package dev.kvorum.node.http;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * An error for a client, as RFC 9457 has it: its type is {@code urn:kvorum:problem:} and a name.
 *
 * @param name the last part of the type, which programs may rely on
 * @param detail what was wrong and what would be right, for a person
 * @param more further members of the JSON object
 */
public record Problem(HttpStatus status, String name, String detail, Map<String, Object> more) {
    private static final String TYPE = "urn:kvorum:problem:";
    private static final JsonMapper JSON = new JsonMapper();

    public static Problem of(HttpStatus status, String name, String detail) {
        return new Problem(status, name, detail, Map.of());
    }

    public static Problem badRequest(String name, String detail) {
        return of(HttpStatus.BAD_REQUEST, name, detail);
    }

    /** The JSON object. */
    public byte[] toJson() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("type", TYPE + name);
        object.put("title", status.getReasonPhrase());
        object.put("status", status.value());
        object.put("detail", detail);
        object.putAll(more);
        return JSON.writeValueAsBytes(object);
    }

    /** Sends it as the answer. Headers that were set before stay. */
    public Mono<Void> send(ServerHttpResponse response) {
        return sendJson(response, status, toJson());
    }

    /** Sends a problem whose JSON was made before. */
    public static Mono<Void> sendJson(ServerHttpResponse response, HttpStatus status, byte[] json) {
        response.setStatusCode(status);
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        headers.setContentLength(json.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(json)));
    }
}
