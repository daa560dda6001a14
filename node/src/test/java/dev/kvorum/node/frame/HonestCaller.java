package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls on and on with bodies of all lengths, from when it is made, and compares. */
final class HonestCaller {
    private static final int CALLS_AT_A_TIME = 16;

    private final WebClient client;
    private final FrameServer server;
    private final AtomicInteger answered = new AtomicInteger();
    private final CompletableFuture<@Nullable Void> calls;
    private volatile boolean enough;

    HonestCaller(FrameConnector connector, FrameServer server) {
        this.client = WebClient.builder().clientConnector(connector).build();
        this.server = server;
        this.calls = Flux.range(0, Integer.MAX_VALUE)
                .takeUntil(i -> enough)
                .flatMap(this::call, CALLS_AT_A_TIME)
                .then()
                .toFuture();
    }

    private Mono<Integer> call(int i) {
        byte[] body = RawFrames.filled(i % 50 == 0 ? 200_000 : i % 100 + 1, i);
        return client.post()
                .uri(server.uri().resolve(FrameServer.ECHO))
                .bodyValue(body)
                .retrieve()
                .bodyToMono(byte[].class)
                .map(answer -> {
                    assertThat(answer).isEqualTo(body);
                    return answered.incrementAndGet();
                });
    }

    int answered() {
        return answered.get();
    }

    /** Makes no more calls; fails if any of them did. */
    void end() {
        enough = true;
        calls.join();
    }
}
