package dev.kvorum.node.replica;

import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * How a replica has answered lately, as far as this node has seen: what reads choose by, and writes where many wait for it. Any thread; nothing here locks while the replica
 * answers.
 *
 * <p>Reads cancel those that answer last, so the slowest would never be heard of. Therefore one cancelled call at a time is let run to its
 * end if no other read was answered for {@value #WITNESS_MILLIS} ms: the witness. It tells a replica that always loses from one that is frozen, and how
 * long that one takes.
 */
public final class ReplicaHealth {
    static final int SILENCE_MILLIS = 250;
    static final int WITNESS_MILLIS = 50;

    /** Of one that is silent, so many answers may be waited for before another call would only wait with them. */
    static final int WAITING_MAX = 64;

    /** Who has not answered for so long is silent, in nanoseconds. */
    static final long SILENCE = TimeUnit.MILLISECONDS.toNanos(SILENCE_MILLIS);

    /** Of one that reads do without, so often a read that asks all prompt ones finds out what it takes now. */
    static final int MEASURED_MILLIS = 250;

    private static final long WITNESS = TimeUnit.MILLISECONDS.toNanos(WITNESS_MILLIS);
    private static final long MEASURED = TimeUnit.MILLISECONDS.toNanos(MEASURED_MILLIS);

    /** What a failure counts in the average at least: it may come at once, but it is not what was asked for. */
    private static final long FAILURE = TimeUnit.MILLISECONDS.toNanos(50);

    // A pause of this very node must not look like the silence of all others: it has to have looked, this often and so
    // far apart.
    private static final int LOOKS_MIN = 4;
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(25);

    private final AnswerTime reads = new AnswerTime();
    private final Breaker breaker;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicBoolean witness = new AtomicBoolean();
    private volatile long busySince;
    private volatile long answeredAt;
    private volatile long readAt; // When a read was answered.
    private volatile long lookedAt;
    private volatile int looks;

    /**
     * @param chance numbers from 0 to below 1
     * @param now nanoseconds from any origin at or above 0, as in all methods
     */
    public ReplicaHealth(DoubleSupplier chance, Breaker.Listener listener, long now) {
        this.breaker = new Breaker(chance, listener);
        this.answeredAt = now;
        this.readAt = now;
    }

    /** Whether reads can count on it. */
    public boolean isTrusted(long now) {
        if (breaker.isClosed()) {
            watchSilence(now);
        }
        return breaker.isClosed();
    }

    /** Whether it is not trusted, and the next call will find out whether it can be again. */
    public boolean wantsProbe(long now) {
        return breaker.wantsProbe(now);
    }

    /**
     * Whether it is silent, and enough calls wait for it: one more would tell nothing. Not where the next call is to find out whether it answers again, nor where it answers late.
     *
     * @param nanos read only where enough wait
     */
    boolean isPiledUp(LongSupplier nanos) {
        return inFlight.get() >= WAITING_MAX && isSilent(nanos.getAsLong());
    }

    private boolean isSilent(long now) {
        return !isTrusted(now) && !wantsProbe(now) && now - Math.max(busySince, answeredAt) >= SILENCE;
    }

    /** Whether no read was answered for {@value #MEASURED_MILLIS} ms, and none is under way that is let run to its end: what is known of its time is old. */
    public boolean wantsMeasuring(long now) {
        return now - readAt >= MEASURED && !witness.get();
    }

    /** What another read would have to wait for, in nanoseconds times calls: to be compared with that of another replica. */
    public double cost(long now) {
        return reads.average(now) * (inFlight.get() + 1);
    }

    /** The time within which it has lately answered 99 of 100 reads, in nanoseconds; 0 where that is not known. */
    public long p99(long now) {
        return reads.p99(now);
    }

    /** What it has lately taken to answer a read, in nanoseconds; 0 where that is not known. Less the longer it was not asked. */
    public double average(long now) {
        return reads.average(now);
    }

    /** Whether it has answered a read, or was waited for in vain, within the last two seconds: else others can't be compared with its average. */
    public boolean isMeasured(long now) {
        return reads.isRecent(now);
    }

    Breaker.State breaker() {
        return breaker.state();
    }

    /** Calls that have no answer yet. */
    public int inFlight() {
        return inFlight.get();
    }

    private void watchSilence(long now) {
        long since = Math.max(busySince, answeredAt);
        if (inFlight.get() == 0 || now - since < BETWEEN_LOOKS) {
            return;
        }
        if (now - lookedAt >= BETWEEN_LOOKS) {
            lookedAt = now;
            look();
        }
        if (now - since >= SILENCE && looks >= LOOKS_MIN) {
            breaker.silent(now, "no answer for " + TimeUnit.NANOSECONDS.toMillis(now - since) + " ms");
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One look more or less does not matter.
    private void look() {
        looks++;
    }

    /**
     * A call begins.
     *
     * @return whether it is the probe of the breaker, which has to be let run to its end
     */
    boolean begun(long now) {
        if (inFlight.getAndIncrement() == 0) {
            busySince = now;
            looks = 0;
        }
        return breaker.beginProbe(now);
    }

    /**
     * A read was answered.
     *
     * @param begun when it was sent
     */
    void answeredRead(long begun, long now, boolean probe, Object reply) {
        if (!(reply instanceof ReplicaFailure failure)) {
            reads.record(now, now - begun);
        } else if (staysAway(failure.reason())) {
            reads.penalize(now, Math.max(FAILURE, now - begun));
        }
        readAt = now;
        answered(begun, now, probe, reply);
    }

    /** A read or write was answered. */
    void answered(long begun, long now, boolean probe, Object reply) {
        inFlight.decrementAndGet();
        if (!(reply instanceof ReplicaFailure failure)) {
            hasSpoken(now);
            breaker.succeeded(now, probe, now - begun < SILENCE);
            return;
        }
        if (speaks(failure.reason())) {
            hasSpoken(now);
        }
        if (tellsAgainst(failure.reason()) || probe) {
            breaker.failed(now, probe, failure.detail());
        }
    }

    /** One that is full, or refuses this call, may be good for the next. */
    private static boolean tellsAgainst(Reason reason) {
        return switch (reason) {
            case UNREACHABLE, TIMED_OUT, BROKEN -> true;
            case OVERLOADED, REFUSED, STALE, BEHIND -> false;
        };
    }

    /** Whether the next read is likely to be failed as well. One that goes by another topology is about to learn the newer one. */
    private static boolean staysAway(Reason reason) {
        return switch (reason) {
            case UNREACHABLE, TIMED_OUT, BROKEN, OVERLOADED, REFUSED -> true;
            case STALE, BEHIND -> false;
        };
    }

    /** Whether the member itself has said so. */
    private static boolean speaks(Reason reason) {
        return switch (reason) {
            case REFUSED, STALE, BEHIND, BROKEN -> true;
            case UNREACHABLE, TIMED_OUT, OVERLOADED -> false;
        };
    }

    private void hasSpoken(long now) {
        answeredAt = now;
        if (looks > 0) {
            looks = 0;
        }
    }

    /**
     * Whether a read that is not needed any more should be let run to its end all the same, as a probe always is; {@link #witnessed} has to
     * follow. One that was waited for until silence tells enough has nothing to add.
     */
    boolean takesWitness(long begun, long now, boolean probe) {
        if (probe) {
            return true;
        }
        boolean tellsMore = now - readAt >= WITNESS && now - begun < SILENCE;
        return tellsMore && !witness.get() && witness.compareAndSet(false, true);
    }

    /** It has come to its end. */
    void witnessed(boolean probe) {
        if (!probe) {
            witness.set(false);
        }
    }

    /**
     * A read is not needed any more.
     *
     * @param begun when it was sent
     */
    void cancelledRead(long begun, long now) {
        reads.recordAtLeast(now, now - begun);
    }

    /** A call was taken back. */
    void ended() {
        inFlight.decrementAndGet();
    }
}
