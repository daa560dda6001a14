package dev.kvorum.node.replica;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One call to a replica, timed. Its stages:
 *
 * <pre>
 * stage     reply                              error or end without one    cancelled by the caller
 * WAITS     ANSWERED: counted and passed on    ANSWERED: passed on         WITNESS if it is to be seen to its end,
 *                                                                          else GIVEN_UP: the replica is told
 * WITNESS   GIVEN_UP: counted                  GIVEN_UP                    -
 * ANSWERED  -                                  passed on                   -
 * GIVEN_UP  -                                  -                           -
 * </pre>
 *
 * A call that is cancelled lets go of its caller at once: what that holds must not live as long as a silent replica takes.
 */
final class ObservedCall<T> implements CoreSubscriber<T>, Subscription {
    private enum Stage {
        WAITS,
        WITNESS,
        ANSWERED,
        GIVEN_UP;

        private Stage signalled() {
            return switch (this) {
                case WAITS, ANSWERED -> ANSWERED;
                case WITNESS, GIVEN_UP -> GIVEN_UP;
            };
        }
    }

    @SuppressWarnings("rawtypes") // A class literal has no type arguments.
    private static final AtomicReferenceFieldUpdater<ObservedCall, Stage> STAGE =
            AtomicReferenceFieldUpdater.newUpdater(ObservedCall.class, Stage.class, "stage");

    private final ObservedReplica replica;
    private final boolean read;
    private final long begun;
    private final boolean probe;
    private volatile Stage stage = Stage.WAITS;
    private volatile CoreSubscriber<? super T> caller;
    private Subscription call = Operators.emptySubscription();

    ObservedCall(ObservedReplica replica, boolean read, CoreSubscriber<? super T> caller) {
        this.replica = replica;
        this.read = read;
        this.caller = caller;
        this.begun = replica.now();
        this.probe = replica.health().begun(begun);
    }

    @Override
    public Context currentContext() {
        return caller.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        call = subscription;
        caller.onSubscribe(this);
    }

    @Override
    public void request(long n) {
        call.request(n);
    }

    @Override
    public void onNext(T reply) {
        CoreSubscriber<? super T> waiting = caller;
        Stage former = STAGE.getAndUpdate(this, Stage::signalled);
        switch (former) {
            case WAITS -> {
                count(reply);
                waiting.onNext(reply);
            }
            case WITNESS -> {
                count(reply);
                replica.health().witnessed(probe);
            }
            case ANSWERED, GIVEN_UP -> Operators.onNextDropped(reply, currentContext());
        }
    }

    private void count(T reply) {
        long now = replica.now();
        replica.metrics().answered(read, reply, now - begun);
        if (read) {
            replica.health().answeredRead(begun, now, probe, reply);
        } else {
            replica.health().answered(begun, now, probe, reply);
        }
    }

    @Override
    public void onError(Throwable e) {
        CoreSubscriber<? super T> waiting = caller;
        if (endsWithoutReply()) {
            waiting.onError(e);
        } else {
            Operators.onErrorDropped(e, currentContext());
        }
    }

    @Override
    public void onComplete() {
        CoreSubscriber<? super T> waiting = caller;
        if (endsWithoutReply()) {
            waiting.onComplete();
        }
    }

    /** Whether the caller is to be told of the end. */
    private boolean endsWithoutReply() {
        Stage former = STAGE.getAndUpdate(this, Stage::signalled);
        switch (former) {
            case WAITS -> replica.health().ended();
            case WITNESS -> {
                replica.health().ended();
                replica.health().witnessed(probe);
            }
            case ANSWERED, GIVEN_UP -> {} // Counted already.
        }
        return former == Stage.WAITS || former == Stage.ANSWERED;
    }

    @Override
    public void cancel() {
        if (stage != Stage.WAITS) {
            return;
        }
        long now = replica.now();
        boolean witness = replica.health().takesWitness(begun, now, probe);
        if (!STAGE.compareAndSet(this, Stage.WAITS, witness ? Stage.WITNESS : Stage.GIVEN_UP)) {
            if (witness) {
                replica.health().witnessed(probe);
            }
            return; // Its answer was faster.
        }
        caller = Operators.emptySubscriber();
        replica.metrics().cancelled();
        replica.health().cancelledRead(begun, now);
        if (witness) {
            replica.metrics().witnessTaken();
            call.request(1); // It may be given up before it was begun: then nobody else would begin it.
        } else {
            replica.health().ended();
            call.cancel();
        }
    }
}
