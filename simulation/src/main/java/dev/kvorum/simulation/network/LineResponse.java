package dev.kvorum.simulation.network;

import dev.kvorum.node.frame.FrameService.Reply;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;

/** A reply as WebClient sees it. */
final class LineResponse implements ClientHttpResponse {
    private final Reply reply;

    LineResponse(Reply reply) {
        this.reply = reply;
    }

    @Override
    public HttpStatusCode getStatusCode() {
        return reply.status();
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
        byte[] body = reply.body();
        return body.length == 0 ? Flux.empty() : Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body));
    }
}
