package dev.kvorum.node.frame;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;

/** A reply as WebClient sees it. Its body lies on the heap: a reader that goes away leaks nothing. */
final class FrameResponse implements ClientHttpResponse {
    private final HttpStatusCode status;
    private final byte[] body;

    FrameResponse(int status, byte[] body) {
        this.status = HttpStatusCode.valueOf(status);
        this.body = body;
    }

    @Override
    public HttpStatusCode getStatusCode() {
        return status;
    }

    @Override
    public HttpHeaders getHeaders() {
        return HttpHeaders.EMPTY;
    }

    @Override
    public MultiValueMap<String, ResponseCookie> getCookies() {
        return new LinkedMultiValueMap<>(0);
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return body.length == 0 ? Flux.empty() : Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body));
    }
}
