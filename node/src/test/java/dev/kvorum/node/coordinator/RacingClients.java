package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadlines;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/** Clients of racing replicas, {@value #OPEN_MAX} at a time: each is told one outcome, and a right one, or goes away. */
final class RacingClients<T> {
    private static final int OPEN_MAX = 200;

    private final RacingReplicas replicas;
    private final Predicate<T> isRight;
    private final Random random;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger twice = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();

    /** @param isRight whether an outcome is one that the replicas can have brought about */
    RacingClients(RacingReplicas replicas, Predicate<T> isRight) {
        this.replicas = replicas;
        this.isRight = isRight;
        this.random = new Random(replicas.seed + 2);
    }

    /** So many ask, one after the other, for one of some keys; until all have been told. */
    void race(int count, Function<Key, Mono<T>> request) throws InterruptedException {
        replicas.start();
        for (int i = 0; i < count; i++) {
            ask(request.apply(Key.of("key-" + random.nextInt(50))));
            while (open.get() > OPEN_MAX) {
                Thread.onSpinWait();
            }
        }
        while (open.get() > 0) {
            Thread.onSpinWait(); // The deadline ends them all.
        }
        replicas.stop();

        assertThat(twice).as("told twice, seed " + replicas.seed).hasValue(0);
        assertThat(wrong).as("wrong outcomes, seed " + replicas.seed).hasValue(0);
        assertThat(replicas.deadlines.sweep()).isEqualTo(Deadlines.NEVER);
    }

    private void ask(Mono<T> answer) {
        open.incrementAndGet();
        AtomicInteger told = new AtomicInteger();
        AtomicBoolean closed = new AtomicBoolean();
        var client = answer.subscribe(outcome -> {
            twice.addAndGet(told.getAndIncrement());
            close(closed);
            wrong.addAndGet(isRight.test(outcome) ? 0 : 1);
        });
        if (random.nextInt(10) == 0) {
            replicas.leaves(client);
            close(closed);
        }
    }

    private void close(AtomicBoolean closed) {
        if (closed.compareAndSet(false, true)) {
            open.decrementAndGet();
        }
    }
}
