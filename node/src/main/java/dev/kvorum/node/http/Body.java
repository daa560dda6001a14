package dev.kvorum.node.http;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Gathers the body of a request, up to a number of bytes and within a time. Any thread. */
public final class Body {
    private final int bytesMax;
    private final Duration timeout;
    private final Scheduler timer;

    public Body(int bytesMax, Duration timeout, Scheduler timer) {
        this.bytesMax = bytesMax;
        this.timeout = timeout;
        this.timer = timer;
    }

    /**
     * What the function makes of the whole body, which it must not release; empty if there is no body.
     *
     * <p>Fails with {@link RefusedRequestException} if the body is too large, which is seen before it is read where the request declares
     * its length, or if it is late.
     */
    public <T> Mono<T> gather(ServerHttpRequest request, Function<DataBuffer, T> use) {
        if (request.getHeaders().getContentLength() > bytesMax) {
            return Mono.error(tooLarge());
        }
        return DataBufferUtils.join(request.getBody(), bytesMax)
                .timeout(timeout, timer)
                .onErrorMap(DataBufferLimitException.class, e -> tooLarge())
                .onErrorMap(TimeoutException.class, e -> late())
                .map(buffer -> {
                    try {
                        return use.apply(buffer);
                    } finally {
                        DataBufferUtils.release(buffer);
                    }
                });
    }

    private RefusedRequestException tooLarge() {
        return RefusedRequestException.closing(Problem.of(
                HttpStatus.CONTENT_TOO_LARGE, "too-large", "the body is longer than " + bytesMax + " bytes"));
    }

    private RefusedRequestException late() {
        return RefusedRequestException.closing(Problem.of(
                HttpStatus.REQUEST_TIMEOUT,
                "late-body",
                "the body did not arrive within " + timeout.toMillis() + " ms"));
    }
}
