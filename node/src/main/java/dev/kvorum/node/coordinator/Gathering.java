package dev.kvorum.node.coordinator;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Takes replies until they decide the outcome, cancels the rest, and tells the outcome.
 *
 * <p>It means the same as the following, in one object for each subscriber:
 *
 * <pre>{@code
 * replies.takeUntil(fold::add)
 *         .then(Mono.fromSupplier(fold::outcome))
 *         .doFinally(end -> { if (end == SignalType.ON_COMPLETE) fold.told(); else fold.giveUp(); })
 * }</pre>
 *
 * @param <R> a reply
 * @param <O> the outcome
 */
final class Gathering<R, O> extends Mono<O> {
    private final Publisher<R> replies;
    private final Fold<R, O> fold;

    /** What the replies come to. All methods but {@link #giveUp} are called one at a time. */
    interface Fold<R, O> {
        /**
         * Counts a reply.
         *
         * @return whether no other is needed
         */
        boolean add(R reply);

        /** What the replies so far come to: after the one that decided, or where no more come. Null tells that there is no outcome. */
        @Nullable
        O outcome();

        /** The outcome has been told, or that there is none. */
        default void told() {}

        /** Nobody waits for an outcome any more, or a call has ended in an error. Any thread, also when the outcome is told already. */
        void giveUp();
    }

    Gathering(Publisher<R> replies, Fold<R, O> fold) {
        this.replies = replies;
        this.fold = fold;
    }

    @Override
    public void subscribe(CoreSubscriber<? super O> client) {
        replies.subscribe(new Gatherer<>(fold, client));
    }

    private static final class Gatherer<R, O> implements CoreSubscriber<R>, Subscription {
        private final Fold<R, O> fold;
        private final CoreSubscriber<? super O> client;
        private @Nullable Subscription replies;
        private boolean decided;

        Gatherer(Fold<R, O> fold, CoreSubscriber<? super O> client) {
            this.fold = fold;
            this.client = client;
        }

        @Override
        public Context currentContext() {
            return client.currentContext();
        }

        @Override
        public void onSubscribe(Subscription replies) {
            this.replies = replies;
            client.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            if (Operators.validate(n)) {
                replies().request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(R reply) {
            if (!decided && fold.add(reply)) {
                replies().cancel();
                conclude();
            }
        }

        @Override
        public void onComplete() {
            if (!decided) {
                conclude();
            }
        }

        private void conclude() {
            decided = true;
            O outcome = fold.outcome();
            if (outcome != null) {
                client.onNext(outcome);
            }
            client.onComplete();
            fold.told();
        }

        @Override
        public void onError(Throwable bug) {
            if (decided) {
                Operators.onErrorDropped(bug, currentContext());
            } else {
                decided = true;
                client.onError(bug);
                fold.giveUp();
            }
        }

        @Override
        public void cancel() {
            replies().cancel();
            fold.giveUp();
        }

        private Subscription replies() {
            return Objects.requireNonNull(replies); // Set before anybody can ask for anything.
        }
    }
}
