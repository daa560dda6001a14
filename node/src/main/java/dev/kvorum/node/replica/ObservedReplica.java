package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.function.LongSupplier;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

/** A replica, and how it has answered lately: every call to it is timed here and counts for its health. Any thread. */
public final class ObservedReplica implements Replica {
    private final Replica origin;
    private final String zone;
    private final ReplicaHealth health;
    private final LongSupplier nanos;
    private final ReplicaMetrics.OfMember metrics;

    /**
     * @param zone the failure domain of its member
     * @param nanos nanoseconds from any origin at or above 0, never back
     */
    public ObservedReplica(
            Replica origin, String zone, ReplicaHealth health, LongSupplier nanos, ReplicaMetrics metrics) {
        this.origin = origin;
        this.zone = zone;
        this.health = health;
        this.nanos = nanos;
        this.metrics = metrics.of(origin.member());
    }

    /** The replica that the calls go to. */
    Replica origin() {
        return origin;
    }

    @Override
    public String member() {
        return origin.member();
    }

    public String zone() {
        return zone;
    }

    public ReplicaHealth health() {
        return health;
    }

    @Override
    public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
        return new Observed<>(origin.write(key, cell, epoch), false);
    }

    @Override
    public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
        return new Observed<>(origin.bring(key, cell, epoch), false);
    }

    /** Whether requests can count on it. */
    public boolean isTrusted() {
        return health.isTrusted(now());
    }

    /**
     * Whether it is silent, and enough calls wait for it: a write that others can do without need not be sent. Thousands that wait for a frozen replica would live through the
     * collections of memory of all others, and end in one burst.
     */
    public boolean isPiledUp() {
        return health.isPiledUp(nanos);
    }

    /** A write is not sent. What that counts as: the failure of one that can't be reached. */
    public ReplicaFailure sparesWrite() {
        metrics.writeSpared();
        return new ReplicaFailure(
                member(),
                Reason.UNREACHABLE,
                "it was not sent the write, as it is silent and many calls wait for it already");
    }

    /** Its replica is given as much time as tells whether it can be counted on, even where the caller waits for less: the call may be its witness. */
    @Override
    public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
        return new Observed<>(origin.read(key, epoch, Math.max(waitNanos, ReplicaHealth.SILENCE)), true);
    }

    long now() {
        return nanos.getAsLong();
    }

    ReplicaMetrics.OfMember metrics() {
        return metrics;
    }

    /** The same call, observed from when somebody wants its answer. */
    private final class Observed<T> extends MonoOperator<T, T> {
        private final boolean read;

        Observed(Mono<T> call, boolean read) {
            super(call);
            this.read = read;
        }

        @Override
        public void subscribe(CoreSubscriber<? super T> caller) {
            source.subscribe(new ObservedCall<>(ObservedReplica.this, read, caller));
        }
    }
}
