package dev.kvorum.node.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;

/** Bounds the bytes of bodies that arrive, are served or are on their way out, over all connections. Any thread; nothing waits. */
public final class ByteBudget {
    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    public ByteBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Bytes taken now. */
    public long taken() {
        return taken.get();
    }

    /**
     * Takes so many bytes for as long as the work lasts, or fails with {@link RefusedRequestException} at once.
     *
     * @param work subscribed to once the bytes are taken
     */
    public <T> Mono<T> during(long bytes, Supplier<Mono<T>> work) {
        return Mono.defer(() -> {
            if (taken.addAndGet(bytes) > bytesMax) {
                taken.addAndGet(-bytes);
                return Mono.error(overloaded());
            }
            return work.get().doFinally(end -> taken.addAndGet(-bytes));
        });
    }

    /** Fails with {@link RefusedRequestException} if an answer of so many bytes has no room, and takes none. */
    public void requireRoom(long bytes) {
        if (taken.get() + bytes > bytesMax) {
            throw overloaded();
        }
    }

    void take(long bytes) {
        taken.addAndGet(bytes);
    }

    void give(long bytes) {
        taken.addAndGet(-bytes);
    }

    private RefusedRequestException overloaded() {
        return RefusedRequestException.of(Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                "overloaded",
                "The bodies of other requests and answers take the " + bytesMax
                        + " bytes there are for them: try again later. Nothing was stored."));
    }
}
