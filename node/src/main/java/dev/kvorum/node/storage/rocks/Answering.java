package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.StoreOverloadedException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Answers those that have asked the store. The writes of one commit that come from an event loop are answered there and by one task: so it is woken once, and what the answers
 * have it send leaves together.
 */
final class Answering {
    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);

    private Answering() {}

    /**
     * Has a worker do something.
     *
     * @param offer hands work over; false if the worker has too much to do, and then the answer is {@link StoreOverloadedException}
     */
    static <T> Mono<T> by(Predicate<Runnable> offer, Callable<@Nullable T> work) {
        return Mono.create(sink -> {
            if (!offer.test(() -> carryOut(work, sink))) {
                sink.error(new StoreOverloadedException());
            }
        });
    }

    private static <T> void carryOut(Callable<@Nullable T> work, MonoSink<T> sink) {
        @Nullable T done;
        try {
            done = work.call();
        } catch (Exception | Error e) {
            sink.error(e);
            return;
        }
        sink.success(done);
    }

    static void all(List<PendingWrite> writes, Consumer<PendingWrite> answer) {
        IdentityHashMap<Executor, List<PendingWrite>> byLoop = new IdentityHashMap<>(4);
        for (PendingWrite write : writes) {
            Executor loop = write.loop();
            if (loop == null) {
                guarded(() -> answer.accept(write));
            } else {
                byLoop.computeIfAbsent(loop, first -> new ArrayList<>(writes.size()))
                        .add(write);
            }
        }
        byLoop.forEach((loop, ofLoop) -> on(loop, () -> ofLoop.forEach(write -> guarded(() -> answer.accept(write)))));
    }

    private static void on(Executor loop, Runnable answers) {
        try {
            loop.execute(answers);
        } catch (RejectedExecutionException e) {
            answers.run(); // The node stops, and the loop has gone before.
        }
    }

    /** A receiver that throws must not keep the others of its batch from their answers. */
    static void guarded(Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException | Error e) {
            LOG.error("Who asked the store failed on being answered, which is a bug", e);
        }
    }
}
