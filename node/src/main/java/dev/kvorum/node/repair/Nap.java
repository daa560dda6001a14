package dev.kvorum.node.repair;

import dev.kvorum.node.deadline.Deadlines;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A pause that any thread can end. One at a time. */
public final class Nap {
    private final Deadlines deadlines;
    private final AtomicReference<@Nullable MonoSink<Void>> sleeper = new AtomicReference<>();

    public Nap(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    /**
     * Empty after so long, or when it is ended.
     *
     * @param needless looked at when the pause can be ended: what was wanted before that ends it as well
     */
    public Mono<Void> take(long nanos, BooleanSupplier needless) {
        return Mono.create(sink -> {
            var _ = sink.onDispose(deadlines.after(nanos).subscribe(none -> {}, sink::error, sink::success));
            sleeper.set(sink);
            if (needless.getAsBoolean()) {
                end();
            }
        });
    }

    /** Ends the pause, if there is one. */
    public void end() {
        MonoSink<Void> sleeping = sleeper.getAndSet(null);
        if (sleeping != null) {
            sleeping.success();
        }
    }
}
