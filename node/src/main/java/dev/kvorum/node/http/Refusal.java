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
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** The answer to a request that is no valid HTTP/1.1: a problem document, rendered once. Immutable. */
final class Refusal {
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

    HttpStatus status() {
        return problem.status();
    }

    boolean keepsConnection() {
        return keepsConnection;
    }

    /** A response to send once. */
    FullHttpResponse response(boolean closes) {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory()
                .newHeaders()
                .set(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                .set(HttpHeaderNames.CONTENT_LENGTH, json.readableBytes());
        if (closes) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        // The content has a reader index of its own for each response.
        return new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, json.duplicate(), headers, EmptyHttpHeaders.INSTANCE);
    }
}
