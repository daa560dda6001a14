package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Key;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Lets the writes of one key that come through this node have their rounds one after the other: at the same time they would outbid each other. Nothing depends on
 * it but speed: others write the key through other nodes. Any thread.
 */
final class Turns {
    private final Map<Key, Mono<Void>> last = new ConcurrentHashMap<>();

    /** The work, when that which came before it under the same key has ended, or was given up. Subscribe once. */
    <T> Mono<T> take(Key key, Supplier<Mono<T>> work) {
        return Mono.defer(() -> {
            Sinks.Empty<Void> done = Sinks.empty();
            Mono<Void> mine = done.asMono();
            @Nullable Mono<Void> before = last.put(key, mine);
            return (before == null ? Mono.<Void>empty() : before)
                    .then(Mono.defer(work))
                    .doFinally(end -> {
                        last.remove(key, mine);
                        done.emitEmpty(Sinks.EmitFailureHandler.FAIL_FAST);
                    });
        });
    }

    /** How many keys have one under way. */
    int keys() {
        return last.size();
    }
}
