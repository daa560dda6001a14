package dev.kvorum.node.core;

import java.time.Duration;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** What costs something to find out, and whoever asks gets: it is found out once for all who ask meanwhile, and for a moment after that. */
final class SharedAnswer {
    private SharedAnswer() {}

    /**
     * An answer that any number may ask for at any time.
     *
     * @param fresh how long it is good for; an error is for those alone who wait for it
     */
    static <T> Mono<T> of(Supplier<Mono<T>> found, Duration fresh) {
        return Mono.defer(found).cache(answer -> fresh, error -> Duration.ZERO, () -> Duration.ZERO);
    }
}
