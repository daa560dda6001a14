package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;

/** Attempts whose plans are numbers: the epochs that they go by. */
class AttemptsTest {
    private static final int SCHEDULES = 5_000;

    private final AtomicLong nanos = new AtomicLong();
    private final Deadlines deadlines = new Deadlines(nanos::get, () -> {});
    private final AtomicInteger epoch = new AtomicInteger(1);
    private final List<Integer> plans = new ArrayList<>();

    private @Nullable Integer newerThan(Integer plan) {
        return epoch.get() > plan ? epoch.get() : null;
    }

    private Mono<String> attempts(Attempts.ByPlan<Integer, String> attempts) {
        return new Attempts<>(deadlines, 100, 1, this::newerThan, (plan, attempt) -> {
            plans.add(plan);
            return attempts.attempt(plan, attempt);
        });
    }

    @Test
    void attemptThatIsNotSupersededIsTheOnlyOne() {
        Mono<String> request = attempts((plan, attempt) -> Mono.just("by " + plan + ", " + attempt.isSuperseded()));

        assertThat(request.block()).isEqualTo("by 1, false");
    }

    @Test
    void supersededAttemptIsFollowedByOneThatGoesByTheNewerPlan() {
        Mono<String> request = attempts((plan, attempt) -> {
            epoch.set(3);
            return attempt.isSuperseded() ? Mono.empty() : Mono.just("by " + plan);
        });

        assertThat(request.block()).isEqualTo("by 3");
        assertThat(plans).containsExactly(1, 3);
    }

    /** Else one that is told of a newer plan without an end would never be answered. */
    @Test
    void newerPlansAreBounded() {
        Mono<String> request = attempts((plan, attempt) -> {
            epoch.incrementAndGet();
            return attempt.isSuperseded() ? Mono.empty() : Mono.just("by " + plan);
        });

        assertThat(request.block()).isEqualTo("by " + (1 + Attempts.RENEWALS_MAX));
        assertThat(plans).hasSize(1 + Attempts.RENEWALS_MAX);
    }

    @Test
    void allAttemptsHaveTheDeadlineOfTheFirst() {
        List<Long> ends = new ArrayList<>();
        nanos.set(7);
        Mono<String> request = attempts((plan, attempt) -> {
            ends.add(attempt.deadline());
            nanos.addAndGet(10);
            epoch.set(2);
            return attempt.isSuperseded() ? Mono.empty() : Mono.just("by " + plan);
        });
        nanos.set(20);

        var _ = request.block();

        assertThat(ends).containsExactly(120L, 120L);
    }

    @Test
    void cancellingCancelsTheAttemptAndNothingSupersedesItAnyMore() {
        AtomicInteger cancelled = new AtomicInteger();
        List<Attempt> known = new ArrayList<>();
        Disposable client = attempts((plan, attempt) -> {
                    known.add(attempt);
                    return Mono.<String>never().doOnCancel(cancelled::incrementAndGet);
                })
                .subscribe();
        epoch.set(2);

        assertThat(known.getFirst().isSuperseded()).isTrue();
        client.dispose();

        assertThat(cancelled).hasValue(1);
        assertThat(known.getFirst().isSuperseded()).isFalse();
    }

    @Test
    void attemptThatEndsWithoutAnOutcomeThoughNothingSupersedesItIsABug() {
        assertThatIllegalStateException()
                .isThrownBy(() -> attempts((plan, attempt) -> Mono.empty()).block())
                .withMessageContaining("by 1 ended without an outcome");
    }

    @Test
    void contextOfTheClientReachesItsAttempts() {
        Mono<String> request = attempts(
                        (plan, attempt) -> Mono.deferContextual(context -> Mono.just("for " + context.get("client"))))
                .contextWrite(context -> context.put("client", "n9"));

        assertThat(request.block()).isEqualTo("for n9");
    }

    /** Asks for nothing by itself. */
    private static class Client extends BaseSubscriber<String> {
        private final List<String> outcomes = new ArrayList<>();

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(String outcome) {
            outcomes.add(outcome);
        }
    }

    @Test
    void clientThatAsksTwiceHasOneAttemptAndOneThatGoesBeforeItAsksHasNone() {
        Client twice = new Client();
        attempts((plan, attempt) -> Mono.never()).subscribe(twice);
        twice.request(1);
        twice.request(1);
        assertThat(plans).hasSize(1);

        Client gone = new Client() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.cancel();
                subscription.request(1);
            }
        };
        attempts((plan, attempt) -> Mono.never()).subscribe(gone);

        assertThat(plans).hasSize(1);
    }

    /** A call that can't be cancelled any more: what it comes to is of no use, but an error is a bug that somebody has to know of. */
    @Test
    void whatAnAttemptComesToOnceItsClientHasGoneIsDropped() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            List<Subscriber<? super String>> underWay = new ArrayList<>();
            Mono<String> request = attempts((plan, attempt) -> Mono.fromDirect(subscriber -> {
                underWay.add(subscriber);
                subscriber.onSubscribe(Operators.emptySubscription());
            }));
            IllegalStateException bug = new IllegalStateException("as the test says");
            for (int i = 0; i < 2; i++) {
                Client client = new Client();
                request.subscribe(client);
                client.request(1);
                client.cancel();
                if (i == 0) {
                    underWay.getLast().onNext("outcome");
                } else {
                    underWay.getLast().onError(bug);
                }
                assertThat(client.outcomes).isEmpty();
            }

            assertThat(dropped).containsExactly(bug);
        } finally {
            Hooks.resetOnErrorDropped();
        }
    }

    @Test
    void onlyAFailureThatCastsDoubtOnThePlanEndsAnAttempt() {
        List<Boolean> superseded = new ArrayList<>();
        epoch.set(2);
        Mono<String> request = attempts((plan, attempt) -> {
            superseded.add(attempt.isSuperseded(failure(Reason.UNREACHABLE), false));
            superseded.add(attempt.isSuperseded(failure(Reason.UNREACHABLE), true));
            superseded.add(attempt.isSuperseded(failure(Reason.STALE), false));
            return Mono.just("done");
        });

        var _ = request.block();

        assertThat(superseded).containsExactly(false, true, true);
    }

    @Test
    void whatWasMissedForLackOfRoomAloneEndsNoAttempt() {
        List<Boolean> superseded = new ArrayList<>();
        epoch.set(2);
        Mono<String> request = attempts((plan, attempt) -> {
            superseded.add(attempt.isSuperseded(shortfall(Reason.OVERLOADED)));
            superseded.add(attempt.isSuperseded(shortfall(Reason.TIMED_OUT)));
            return Mono.just("done");
        });

        var _ = request.block();

        assertThat(superseded).containsExactly(false, true);
    }

    private static Shortfall shortfall(Reason reason) {
        return new Shortfall(new Quorum(2, 3), 1, List.of(failure(reason)));
    }

    private static ReplicaFailure failure(Reason reason) {
        return new ReplicaFailure("n1", reason, "as the test says");
    }

    /** The same of Reactor's operators. */
    private static final class OfReactor implements Attempt {
        private final Attempts.Renewal<Integer> newer;
        private int plan = 1;
        private int renewals;
        private @Nullable Integer next;
        private boolean gone;

        OfReactor(Attempts.Renewal<Integer> newer) {
            this.newer = newer;
        }

        @Override
        public long deadline() {
            return 100;
        }

        @Override
        public boolean isSuperseded() {
            next = gone || renewals == Attempts.RENEWALS_MAX ? null : newer.newerThan(plan);
            return next != null;
        }

        @Override
        public boolean repeats() {
            next = gone || renewals == Attempts.RENEWALS_MAX ? null : plan;
            return next != null;
        }

        Mono<String> run(Attempts.ByPlan<Integer, String> attempts) {
            return Mono.defer(() -> {
                        if (next != null) {
                            plan = next;
                            renewals++;
                        }
                        return attempts.attempt(plan, this);
                    })
                    .repeatWhenEmpty(again -> again)
                    .doOnCancel(() -> gone = true);
        }
    }

    /** What happens under a schedule, in order. */
    private static List<String> run(long seed, boolean fused) {
        Random random = new Random(seed);
        List<String> log = new ArrayList<>();
        List<Attempt> known = new ArrayList<>();
        List<MonoSink<String>> underWay = new ArrayList<>();
        AtomicBoolean answers =
                new AtomicBoolean(); // Then Reactor's operators cancel between the value and the end of it.
        AtomicInteger epoch = new AtomicInteger(1);
        Deadlines deadlines = new Deadlines(() -> 0, () -> {});
        Attempts.Renewal<Integer> newer = plan -> epoch.get() > plan ? epoch.get() : null;
        Attempts.ByPlan<Integer, String> byPlan = (plan, attempt) -> {
            log.add("by " + plan);
            known.add(attempt);
            return Mono.<String>create(underWay::add).doOnCancel(() -> {
                if (!answers.get()) {
                    log.add("cancelled");
                }
            });
        };
        Mono<String> request =
                fused ? new Attempts<>(deadlines, 100, 1, newer, byPlan) : new OfReactor(newer).run(byPlan);
        AtomicBoolean over = new AtomicBoolean();
        Disposable client = request.doFinally(end -> over.set(true))
                .subscribe(log::add, bug -> log.add("error " + bug.getMessage()), () -> log.add("complete"));
        while (!over.get()) {
            switch (random.nextInt(8)) {
                case 0 -> {
                    answers.set(true);
                    underWay.getLast().success("outcome");
                }
                case 1 -> underWay.getLast().error(new IllegalStateException("bug"));
                case 2 -> client.dispose();
                case 3, 4 -> epoch.incrementAndGet();
                default -> {
                    if (known.getLast().isSuperseded()) {
                        log.add("superseded");
                        underWay.getLast().success();
                    }
                }
            }
        }
        return log;
    }

    @Test
    void isTheSameAsTheCompositionOfReactorsOperators() {
        long seed = System.nanoTime();
        for (int i = 0; i < SCHEDULES; i++, seed++) {
            assertThat(run(seed, true)).as("seed " + seed).isEqualTo(run(seed, false));
        }
    }
}
