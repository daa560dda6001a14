package dev.kvorum.node.replica;

import dev.kvorum.node.frame.FrameConnector;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;

/** WebClient's connector for calls to peers over HTTP. Its calls can be cancelled by any thread at any time: see {@link HttpCall}. */
final class HttpConnector implements ClientHttpConnector {
    private final ReactorClientHttpConnector origin;

    HttpConnector(HttpClient client) {
        this.origin = new ReactorClientHttpConnector(client);
    }

    @Override
    public Mono<ClientHttpResponse> connect(
            HttpMethod method, URI uri, Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super ClientHttpResponse> caller) {
                HttpCall call = new HttpCall(caller);
                origin.connect(method, uri, request -> call.send(loopOf(request), () -> send(request, requestCallback)))
                        .subscribe(call);
            }
        };
    }

    private static Mono<Void> send(
            ClientHttpRequest request, Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
        Mono<Void> sending = requestCallback.apply(request);
        if (request.getAttributes().get(FrameConnector.WAIT_NANOS) instanceof Long waitNanos) {
            HttpClientRequest call = request.getNativeRequest();
            var _ = call.responseTimeout(Duration.ofNanos(waitNanos));
        }
        return sending;
    }

    private static EventLoop loopOf(ClientHttpRequest request) {
        ChannelOperations<?, ?> operations = request.getNativeRequest();
        return operations.channel().eventLoop();
    }
}
