package dev.kvorum.node.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** The answer to a request that the server refuses before its handlers see it: a problem document, rendered once. Immutable. */
public final class Refusal {
    private final Problem problem;
    private final boolean keepsConnection;
    private final HttpResponseStatus status;
    private final ByteBuf json;

    private Refusal(Problem problem, boolean keepsConnection) {
        this.problem = problem;
        this.keepsConnection = keepsConnection;
        this.status = HttpResponseStatus.valueOf(problem.status().value());
        this.json = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(problem.toJson()));
    }

    /** The end of the request is not certain: the connection closes after the answer. */
    static Refusal closing(HttpStatus status, String name, String detail) {
        return new Refusal(Problem.of(status, name, detail), false);
    }

    /** The end of the request is certain: the connection serves the next request, unless this one has a body. */
    static Refusal keeping(HttpStatus status, String name, String detail) {
        return new Refusal(Problem.of(status, name, detail), true);
    }

    /** As {@link #keeping(HttpStatus, String, String)}, of a problem that exists already. */
    public static Refusal keeping(Problem problem) {
        return new Refusal(problem, true);
    }

    /** The body of the request took longer than that. */
    public static Refusal lateBody(Duration timeMax) {
        return late("late-body", "the body", timeMax);
    }

    /** The head of the request took longer than that. */
    static Refusal lateHead(Duration timeMax) {
        return late("late-head", "the head of the request", timeMax);
    }

    private static Refusal late(String name, String part, Duration timeMax) {
        String detail = part + " did not arrive within " + timeMax.toMillis() + " ms";
        return closing(HttpStatus.REQUEST_TIMEOUT, name, detail);
    }

    /** The bytes of the response, after which the connection closes. They belong to nobody, and may be sent many times. */
    ByteBuf rendered() {
        StringBuilder head = new StringBuilder()
                .append(HttpVersion.HTTP_1_1)
                .append(' ')
                .append(status)
                .append("\r\n");
        FullHttpResponse response = response(true);
        response.headers()
                .forEach(header -> head.append(header.getKey())
                        .append(": ")
                        .append(header.getValue())
                        .append("\r\n"));
        byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        return Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(Unpooled.wrappedBuffer(start), response.content()));
    }

    HttpStatus status() {
        return problem.status();
    }

    boolean keepsConnection() {
        return keepsConnection;
    }

    /** A response to send once: its headers may be changed on their way. */
    public FullHttpResponse response(boolean closes) {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory()
                .newHeaders()
                .set(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                .set(HttpHeaderNames.CONTENT_LENGTH, json.readableBytes());
        if (problem.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            headers.set(HttpHeaderNames.RETRY_AFTER, RefusedRequestException.RETRY_AFTER_SECONDS);
        }
        if (closes) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        // The content has a reader index of its own for each response.
        return new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, json.duplicate(), headers, EmptyHttpHeaders.INSTANCE);
    }
}
