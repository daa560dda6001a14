package dev.kvorum.node.replica;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * Whether reads should count on a replica. It governs no read that has no other choice, and no write but such as others can do without.
 *
 * <pre>
 * state      event                                                next
 * CLOSED     {@value #FAILURES_MAX} failures without a success between          OPEN for the back-off
 * CLOSED     silence                                              OPEN for the back-off
 * OPEN       any call begins after the back-off                   HALF_OPEN: that call is the probe
 * OPEN       a prompt success after the back-off                  CLOSED
 * HALF_OPEN  a prompt success                                     CLOSED
 * HALF_OPEN  the probe succeeds, but late                         OPEN, ready for another probe at once
 * HALF_OPEN  the probe fails, or its caller's time ends           OPEN for twice the back-off
 * HALF_OPEN  the probe has not ended for {@value #PROBE_SECONDS_MAX} s                     the next call is the probe
 * </pre>
 *
 * Whatever is not in the table changes nothing. The back-off begins with 100 ms and doubles up to 4 s, less up to half of it by chance; it
 * begins anew where the breaker was closed for 10 s, so that a replica which comes and goes is left alone more and more.
 *
 * <p>Any thread. Times are nanoseconds from any origin at or above 0.
 */
public final class Breaker {
    /** How reads see the replica. The ordinal is what the metric shows. */
    public enum State {
        /** It can be counted on. */
        CLOSED,
        /** One call tries whether it can be counted on again. */
        HALF_OPEN,
        /** It is not asked while others can be. */
        OPEN
    }

    /** Told of each change, under the breaker's lock: must be quick. */
    @FunctionalInterface
    public interface Listener {
        void changed(State now, String why);
    }

    static final int FAILURES_MAX = 5;
    static final int PROBE_SECONDS_MAX = 10;
    static final long BACK_OFF_MIN = TimeUnit.MILLISECONDS.toNanos(100);
    static final long BACK_OFF_MAX = TimeUnit.SECONDS.toNanos(4);
    static final long CALM = TimeUnit.SECONDS.toNanos(10);
    private static final long PROBE_MAX = TimeUnit.SECONDS.toNanos(PROBE_SECONDS_MAX);

    private final DoubleSupplier chance;
    private final Listener listener;
    private volatile State state = State.CLOSED;
    private volatile int failures; // In a row; written under the lock.
    private volatile long retryAt; // Of the probe that is next or, half-open, overdue.
    private long backOff = BACK_OFF_MIN;
    private long closedAt = -CALM; // Calm from the beginning.

    /** @param chance numbers from 0 to below 1 */
    Breaker(DoubleSupplier chance, Listener listener) {
        this.chance = chance;
        this.listener = listener;
    }

    State state() {
        return state;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Whether a call that begins now would be the probe. */
    boolean wantsProbe(long now) {
        return state != State.CLOSED && now >= retryAt;
    }

    /** Whether the call that begins now is the probe. */
    boolean beginProbe(long now) {
        return wantsProbe(now) && becomeHalfOpen(now);
    }

    private synchronized boolean becomeHalfOpen(long now) {
        if (!wantsProbe(now)) {
            return false; // Another call was faster.
        }
        retryAt = now + PROBE_MAX;
        change(State.HALF_OPEN, "a probe is on its way");
        return true;
    }

    /**
     * A call was answered with success.
     *
     * @param prompt whether within the time after which silence opens the breaker
     */
    void succeeded(long now, boolean probe, boolean prompt) {
        if (state != State.CLOSED || failures > 0) {
            afterSuccess(now, probe, prompt);
        }
    }

    private synchronized void afterSuccess(long now, boolean probe, boolean prompt) {
        failures = 0;
        boolean awaited = state == State.HALF_OPEN || wantsProbe(now);
        if (awaited && prompt) {
            closedAt = now;
            change(State.CLOSED, "it answers");
        } else if (state == State.HALF_OPEN && probe) {
            retryAt = now;
            change(State.OPEN, "it answers, but late");
        }
    }

    /** A call failed in a way that tells against the replica. */
    synchronized void failed(long now, boolean probe, String why) {
        failures++;
        if (state == State.CLOSED && failures >= FAILURES_MAX) {
            open(now, why);
        } else if (state == State.HALF_OPEN && probe) {
            backOff = Math.min(2 * backOff, BACK_OFF_MAX);
            retryAt = now + jittered();
            change(State.OPEN, why);
        }
    }

    /** Calls wait, and none has been answered for too long. */
    synchronized void silent(long now, String why) {
        if (state == State.CLOSED) {
            open(now, why);
        }
    }

    private void open(long now, String why) {
        failures = 0;
        backOff = now - closedAt >= CALM ? BACK_OFF_MIN : Math.min(2 * backOff, BACK_OFF_MAX);
        retryAt = now + jittered();
        change(State.OPEN, why);
    }

    private long jittered() {
        return (long) (backOff * (1 - chance.getAsDouble() / 2));
    }

    private void change(State next, String why) {
        if (state != next) {
            state = next;
            listener.changed(next, why);
        }
    }
}
