package dev.kvorum.node.http;

import dev.kvorum.node.deadline.Deadlines;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Mono;

/** Gathers the body of a request, up to a number of bytes, within a time, and within the budget of the node. Any thread. */
public final class Body {
    private final int bytesMax;
    private final ByteBudget budget;
    private final Duration timeout;
    private final Deadlines deadlines;

    /** @param bytesMax longest body */
    public Body(int bytesMax, ByteBudget budget, Duration timeout, Deadlines deadlines) {
        this.bytesMax = bytesMax;
        this.budget = budget;
        this.timeout = timeout;
        this.deadlines = deadlines;
    }

    /** Whether a request has a body, or may have one. */
    public static boolean isIn(ServerHttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        return headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING);
    }

    /**
     * Gathers the body and hands it on. Its bytes count against the budget from their arrival until what follows has ended.
     *
     * <p>Fails with {@link RefusedRequestException} if the body is too large, which is seen before it is read where the request declares
     * its length, if it is late, or if the budget is spent.
     *
     * @param decode makes something of the whole body, which it must not release
     * @param ofNone stands for a body that is empty
     * @param use what follows
     */
    public <B, T> Mono<T> gather(
            ServerHttpRequest request, Function<DataBuffer, B> decode, B ofNone, Function<B, Mono<T>> use) {
        long declared = request.getHeaders().getContentLength();
        if (declared > bytesMax) {
            return Mono.error(tooLarge());
        }
        if (!isIn(request)) {
            return use.apply(ofNone);
        }
        return Mono.defer(() -> {
            budget.requireRoom(declared); // Takes none: who only says what it will send takes no memory.
            ByteBudget.Share share = budget.share();
            return Mono.<B>create(sink ->
                            new BodyGathering<>(this, share, decode, ofNone, sink, request).begin(timeout.toNanos()))
                    .flatMap(use)
                    .doFinally(end -> share.giveBack());
        });
    }

    Deadlines deadlines() {
        return deadlines;
    }

    int bytesMax() {
        return bytesMax;
    }

    RefusedRequestException noRoom() {
        return budget.noRoomForBody();
    }

    RefusedRequestException tooLarge() {
        return RefusedRequestException.closing(Problem.of(
                HttpStatus.CONTENT_TOO_LARGE, "too-large", "the body is longer than " + bytesMax + " bytes"));
    }

    RefusedRequestException slow() {
        return RefusedRequestException.closing(Problem.of(
                HttpStatus.REQUEST_TIMEOUT,
                "slow-body",
                "the node is short of memory, and the body arrived more slowly than " + budget.bytesPerSecondMin()
                        + " bytes per second: send it faster, or try again later"));
    }

    RefusedRequestException late() {
        return RefusedRequestException.closing(Problem.of(
                HttpStatus.REQUEST_TIMEOUT,
                "late-body",
                "the body did not arrive within " + timeout.toMillis() + " ms"));
    }
}
