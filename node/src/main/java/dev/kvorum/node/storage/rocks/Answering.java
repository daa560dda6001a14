package dev.kvorum.node.storage.rocks;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the writes of one commit. Those of an event loop are answered there and by one task: so it is woken once, and what the answers
 * have it send leaves together.
 */
final class Answering {
    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);

    private Answering() {}

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
