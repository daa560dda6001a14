package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.test.publisher.TestPublisher;

/** The fused operator beside what it stands for, made of Reactor's own. */
class GatheringTest {
    private static final int SCHEDULES = 5_000;

    /** Adds numbers up, until they make ten. Where the sum is odd there is no outcome. */
    private static final class Sum implements Gathering.Fold<Integer, String> {
        private final List<String> log;
        private int sum;

        Sum(List<String> log) {
            this.log = log;
        }

        @Override
        public boolean add(Integer reply) {
            log.add("add " + reply);
            sum += reply;
            return sum >= 10;
        }

        @Override
        public @Nullable String outcome() {
            log.add("outcome");
            return sum % 2 == 0 ? "sum " + sum : null;
        }

        @Override
        public void told() {
            log.add("told");
        }

        @Override
        public void giveUp() {
            log.add("gives up");
        }
    }

    private static Mono<String> reactors(Flux<Integer> replies, Gathering.Fold<Integer, String> fold) {
        return replies.takeUntil(fold::add)
                .then(Mono.fromSupplier(fold::outcome))
                .doFinally(end -> {
                    if (end == SignalType.ON_COMPLETE) {
                        fold.told();
                    } else {
                        fold.giveUp();
                    }
                });
    }

    private static final class Client extends BaseSubscriber<String> {
        private final List<String> log;
        private boolean ended;

        Client(List<String> log) {
            this.log = log;
        }

        @Override
        protected void hookOnNext(String outcome) {
            log.add(outcome);
        }

        @Override
        protected void hookOnComplete() {
            log.add("complete");
        }

        @Override
        protected void hookOnError(Throwable bug) {
            log.add("error " + bug.getMessage());
        }

        @Override
        protected void hookFinally(SignalType end) {
            ended = true;
        }
    }

    /** What happens under a schedule, in order. */
    private static List<String> run(
            long seed, BiFunction<Flux<Integer>, Gathering.Fold<Integer, String>, Mono<String>> operator) {
        Random random = new Random(seed);
        List<String> log = new ArrayList<>();
        TestPublisher<Integer> replies = TestPublisher.create();
        Client client = new Client(log);
        operator.apply(replies.flux().doOnCancel(() -> log.add("rest cancelled")), new Sum(log))
                .subscribe(client);
        while (!client.ended) {
            switch (random.nextInt(12)) {
                case 0 -> replies.complete();
                case 1 -> replies.error(new IllegalStateException("bug"));
                case 2 -> client.cancel();
                default -> replies.next(random.nextInt(5));
            }
        }
        return log;
    }

    @Test
    void isTheSameAsTheCompositionOfReactorsOperators() {
        long seed = System.nanoTime();
        for (int i = 0; i < SCHEDULES; i++, seed++) {
            assertThat(run(seed, Gathering::new)).as("seed " + seed).isEqualTo(run(seed, GatheringTest::reactors));
        }
    }

    @Test
    void restIsCancelledBeforeTheOutcomeIsTold() {
        List<String> log = new ArrayList<>();

        Flux<Integer> replies = Flux.just(4, 6, 8).hide().doOnCancel(() -> log.add("rest cancelled"));
        new Gathering<>(replies, new Sum(log)).subscribe(new Client(log));

        assertThat(log).containsExactly("add 4", "add 6", "rest cancelled", "outcome", "sum 10", "complete", "told");
    }
}
