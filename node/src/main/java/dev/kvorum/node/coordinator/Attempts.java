package dev.kvorum.node.coordinator;

import dev.kvorum.node.deadline.Deadlines;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A request as a series of attempts, each of which knows one plan. An attempt that completes empty found its plan superseded, and the next attempt
 * goes by the newer plan; or it asked to be repeated by the same one. Any other signal of an attempt is the request's own.
 *
 * <pre>{@code
 * new Attempts<>(deadlines, nanos, plan, former -> newerThan(former), (current, attempt) -> ask(current)
 *         .flatMap(reply -> reply.isStale() && attempt.isSuperseded() ? Mono.empty() : Mono.just(outcome(reply))));
 * }</pre>
 *
 * It means the same as {@code Mono.defer(() -> attempt by the present plan).repeatWhenEmpty(again -> again)}, without the sink, the queue and the four
 * objects that this costs each request.
 *
 * <p>Cancelling it cancels the attempt under way, which decides by itself what that calls off; no plan supersedes another from then on. Any thread.
 *
 * @param <P> what an attempt goes by
 * @param <O> how the request ends
 */
public final class Attempts<P, O> extends Mono<O> {
    /** How many attempts may follow the first: a change of the members has four epochs, and a second change may follow it. */
    static final int RENEWALS_MAX = 8;

    private final Deadlines deadlines;
    private final long nanos;
    private final P first;
    private final Renewal<P> renewal;
    private final ByPlan<P, O> attempts;

    /** Finds newer plans. */
    @FunctionalInterface
    public interface Renewal<P> {
        /** The plan to go by instead of a former one; null while that one is still good. */
        @Nullable
        P newerThan(P former);
    }

    /** Makes attempts. */
    @FunctionalInterface
    public interface ByPlan<P, O> {
        /**
         * Makes one.
         *
         * @return how the request ended; empty where {@link Attempt#isSuperseded()} or {@link Attempt#repeats()} has returned true
         */
        Mono<O> attempt(P plan, Attempt attempt);
    }

    /**
     * @param nanos how long the request may take from its first attempt on
     * @param first the plan of the first attempt
     */
    public Attempts(Deadlines deadlines, long nanos, P first, Renewal<P> renewal, ByPlan<P, O> attempts) {
        this.deadlines = deadlines;
        this.nanos = nanos;
        this.first = first;
        this.renewal = renewal;
        this.attempts = attempts;
    }

    @Override
    public void subscribe(CoreSubscriber<? super O> client) {
        client.onSubscribe(new Run<>(this, client));
    }

    /** The attempts for one subscriber. Signals of attempts come one at a time; the subscriber may cancel beside them. */
    private static final class Run<P, O> implements CoreSubscriber<O>, Subscription, Attempt {
        private final Attempts<P, O> request;
        // Null once it knows or has gone: calls that go on must not hold what it holds of its connection.
        private volatile @Nullable CoreSubscriber<? super O> client;
        private volatile @Nullable Subscription underWay;
        private P plan;
        private @Nullable P next;
        private long deadline;
        private int renewals;
        private boolean begun;

        Run(Attempts<P, O> request, CoreSubscriber<? super O> client) {
            this.request = request;
            this.client = client;
            this.plan = request.first;
        }

        @Override
        public void request(long n) {
            if (Operators.validate(n) && !begun && client != null) {
                begun = true;
                deadline = request.deadlines.now() + request.nanos;
                request.attempts.attempt(plan, this).subscribe(this);
            }
        }

        @Override
        public void onSubscribe(Subscription attempt) {
            underWay = attempt;
            // Begun also where its client has just gone: a write goes on.
            attempt.request(Long.MAX_VALUE);
            if (client == null) {
                attempt.cancel();
            }
        }

        @Override
        public long deadline() {
            return deadline;
        }

        @Override
        public boolean isSuperseded() {
            if (client == null || renewals == RENEWALS_MAX) {
                return false;
            }
            next = request.renewal.newerThan(plan);
            return next != null;
        }

        @Override
        public boolean repeats() {
            if (client == null || renewals == RENEWALS_MAX) {
                return false;
            }
            next = plan;
            return true;
        }

        @Override
        public void onNext(O outcome) {
            next = null;
            CoreSubscriber<? super O> waiting = letGo();
            if (waiting != null) {
                waiting.onNext(outcome);
                waiting.onComplete();
            }
        }

        @Override
        public void onComplete() {
            P newer = next;
            if (newer != null) {
                next = null;
                plan = newer;
                renewals++;
                request.attempts.attempt(newer, this).subscribe(this);
            } else if (client != null) {
                onError(new IllegalStateException("the attempt by " + plan + " ended without an outcome"));
            }
        }

        @Override
        public void onError(Throwable bug) {
            CoreSubscriber<? super O> waiting = letGo();
            if (waiting == null) {
                Operators.onErrorDropped(bug, Context.empty());
            } else {
                waiting.onError(bug);
            }
        }

        @Override
        public void cancel() {
            client = null;
            Subscription attempt = underWay;
            if (attempt != null) {
                attempt.cancel();
            }
        }

        private @Nullable CoreSubscriber<? super O> letGo() {
            CoreSubscriber<? super O> waiting = client;
            client = null;
            return waiting;
        }

        @Override
        public Context currentContext() {
            CoreSubscriber<? super O> waiting = client;
            return waiting == null ? Context.empty() : waiting.currentContext();
        }
    }
}
