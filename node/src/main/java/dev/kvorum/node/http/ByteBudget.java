package dev.kvorum.node.http;

import dev.kvorum.node.frame.Allowance;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;

/** Bounds the bytes of bodies that arrive, are served or are on their way out, over all connections. Any thread; nothing waits. */
public final class ByteBudget implements Allowance {
    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    public ByteBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Bytes taken now. */
    public long taken() {
        return taken.get();
    }

    @Override
    public boolean take(long bytes) {
        if (taken.addAndGet(bytes) > bytesMax) {
            taken.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    @Override
    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    /**
     * Takes so many bytes for as long as the work lasts, or fails with {@link RefusedRequestException} at once.
     *
     * @param work subscribed to once the bytes are taken
     */
    public <T> Mono<T> during(long bytes, Supplier<Mono<T>> work) {
        return Mono.defer(() -> {
            if (!take(bytes)) {
                return Mono.error(overloaded());
            }
            return work.get().doFinally(end -> giveBack(bytes));
        });
    }

    /** Fails with {@link RefusedRequestException} if an answer of so many bytes has no room, and takes none. */
    public void requireRoom(long bytes) {
        if (taken.get() + bytes > bytesMax) {
            throw overloaded();
        }
    }

    /** Takes so many bytes that are in use already, there or not. */
    void charge(long bytes) {
        taken.addAndGet(bytes);
    }

    private RefusedRequestException overloaded() {
        return RefusedRequestException.of(Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                "overloaded",
                "The bodies of other requests and answers take the " + bytesMax
                        + " bytes there are for them: try again later. Nothing was stored."));
    }
}
