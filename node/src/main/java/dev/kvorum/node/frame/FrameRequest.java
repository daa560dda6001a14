package dev.kvorum.node.frame;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A request of WebClient, whose body is gathered. Headers, cookies and attributes are not sent: the greeting has said what they say. Not
 * Spring's abstract request, which for each call makes ready for all that HTTP may need.
 */
final class FrameRequest implements ClientHttpRequest {
    private final HttpMethod method;
    private final URI uri;
    private final HttpHeaders headers = new HttpHeaders();
    private final MultiValueMap<String, HttpCookie> cookies = new LinkedMultiValueMap<>(0);
    private final Map<String, Object> attributes = HashMap.newHashMap(2);
    private final List<Supplier<? extends Mono<Void>>> beforeCommit = new ArrayList<>(0);
    private byte[] body = Message.NOTHING;
    private boolean committed;

    FrameRequest(HttpMethod method, URI uri) {
        this.method = method;
        this.uri = uri;
    }

    byte[] body() {
        return body;
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> buffers) {
        // A Mono has but one buffer, and so does the body of most calls.
        Mono<DataBuffer> joined =
                buffers instanceof Mono<? extends DataBuffer> one ? Mono.from(one) : DataBufferUtils.join(buffers);
        return commit(joined.doOnNext(this::take).then());
    }

    private void take(DataBuffer buffer) {
        body = HeapBytes.takeAll(buffer);
        DataBufferUtils.release(buffer);
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> buffers) {
        return writeWith(Flux.from(buffers).concatMap(inner -> inner));
    }

    @Override
    public Mono<Void> setComplete() {
        return commit(Mono.empty());
    }

    private Mono<Void> commit(Mono<Void> gathering) {
        committed = true;
        return beforeCommit.isEmpty()
                ? gathering
                : Flux.fromIterable(beforeCommit).concatMap(Supplier::get).then(gathering);
    }

    @Override
    public void beforeCommit(Supplier<? extends Mono<Void>> action) {
        beforeCommit.add(action);
    }

    @Override
    public boolean isCommitted() {
        return committed;
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
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public MultiValueMap<String, HttpCookie> getCookies() {
        return cookies;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return attributes;
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
}
