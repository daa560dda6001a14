package dev.kvorum.simulation.network;

import java.net.URI;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.AbstractClientHttpRequest;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A request of WebClient, whose body is gathered. Headers are not sent, as in frames. */
final class LineRequest extends AbstractClientHttpRequest {
    private final HttpMethod method;
    private final URI uri;
    private byte[] body = {};

    LineRequest(HttpMethod method, URI uri) {
        this.method = method;
        this.uri = uri;
    }

    byte[] body() {
        return body;
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> buffers) {
        return doCommit(() -> DataBufferUtils.join(buffers).doOnNext(this::take).then());
    }

    private void take(DataBuffer buffer) {
        body = new byte[buffer.readableByteCount()];
        buffer.read(body);
        DataBufferUtils.release(buffer);
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> buffers) {
        return writeWith(Flux.from(buffers).concatMap(inner -> inner));
    }

    @Override
    public Mono<Void> setComplete() {
        return doCommit();
    }

    @Override
    public HttpMethod getMethod() {
        return method;
    }

    @Override
    public URI getURI() {
        return uri;
    }

    @Override
    public DataBufferFactory bufferFactory() {
        return DefaultDataBufferFactory.sharedInstance;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The signature is Spring's.
    public <T> T getNativeRequest() {
        return (T) this;
    }

    @Override
    protected void applyHeaders() {}

    @Override
    protected void applyCookies() {}
}
