package dev.kvorum.node.deadline;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The pending deadlines, in a wheel of {@value #SLOTS} slots of a millisecond each: starting and stopping one costs two list operations under
 * an uncontended lock, whatever their number, and a stopped one is forgotten at once. One later than a round of the wheel stays in its slot
 * for as many rounds.
 *
 * <p>Somebody has to call {@link #sweep} again when the time that it returned has passed, or when {@code wake} was called: a thread, or a test
 * that moves the clock. Nothing here reads a clock of its own or starts a thread.
 *
 * <p>Source: Varghese and Lauck, "Hashed and hierarchical timing wheels" (1987), scheme 6.
 */
public final class Deadlines {
    /** {@link #sweep} returns it where nothing waits. */
    public static final long NEVER = Long.MAX_VALUE;

    /** How late a deadline may expire, in nanoseconds, besides what the sweeper is late: those of a tick expire together. */
    static final long TICK = TimeUnit.MILLISECONDS.toNanos(1);

    static final int SLOTS = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

    private final LongSupplier nanos;
    private final long origin;
    private final Runnable wake;
    private final Slot[] slots = new Slot[SLOTS];
    private volatile long swept; // The tick up to which it has been swept; that one is swept again.
    private volatile long wakeAt = NEVER;

    /**
     * @param nanos as {@link System#nanoTime}: any origin, never back
     * @param wake called by whoever starts a deadline that the sweeper would come too late for; must not block
     */
    public Deadlines(LongSupplier nanos, Runnable wake) {
        this.nanos = nanos;
        this.origin = nanos.getAsLong();
        this.wake = wake;
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new Slot();
        }
    }

    /** Nanoseconds since this was made: from 0, never back. Any thread. */
    public long now() {
        return nanos.getAsLong() - origin;
    }

    /** Lets a deadline expire at that time of {@link #now}, and not at the one it had. Any thread. */
    public void start(Deadline deadline, long due) {
        stop(deadline);
        long tick = Math.max(due / TICK, swept);
        slot(tick).add(deadline, due);
        // The sweeper publishes how far it goes before it looks into the slots: either it sees this one, or this sees
        // how far.
        while (swept > tick && deadline.slot != null) {
            stop(deadline);
            tick = swept;
            slot(tick).add(deadline, due);
        }
        if (due < wakeAt) {
            wakeAt = due; // Others that come now need not wake it again.
            wake.run();
        }
    }

    /**
     * Completes so many nanoseconds after it was subscribed to, on the thread that sweeps. Forgotten when it is cancelled.
     *
     * @return always empty
     */
    public Mono<Void> after(long delayNanos) {
        return Mono.create(sink -> {
            Deadline end = new Deadline() {
                @Override
                protected void expired(long now) {
                    sink.success();
                }
            };
            start(end, now() + delayNanos);
            var _ = sink.onDispose(() -> stop(end));
        });
    }

    /** Forgets a deadline; it may be one that is not pending. Any thread. */
    public void stop(Deadline deadline) {
        Slot slot = deadline.slot;
        if (slot != null) {
            slot.remove(deadline);
        }
    }

    /**
     * Lets all deadlines expire that are due. One thread at a time.
     *
     * @return nanoseconds until it has to be called again, or {@link #NEVER}
     */
    public long sweep() {
        wakeAt = NEVER; // From here on whoever starts one wakes the sweeper: it may not be seen below.
        long now = now();
        long tick = now / TICK;
        long from = Math.max(swept, tick - SLOTS + 1);
        swept = tick;
        for (long t = from; t <= tick; t++) {
            for (Deadline due : slot(t).takeDue(now)) {
                expire(due, now);
            }
        }
        long next = nextWake(tick);
        wakeAt = next;
        return next == NEVER ? NEVER : Math.max(0, next - now());
    }

    /** The end of the first tick of the coming round in which one is due, so that those of a tick share a wake-up. */
    private long nextWake(long tick) {
        boolean laterRounds = false;
        for (long t = tick; t < tick + SLOTS; t++) {
            Slot slot = slot(t);
            if (!slot.isEmpty()) {
                long end = (t + 1) * TICK;
                if (slot.hasDueBefore(end)) {
                    return end;
                }
                laterRounds = true;
            }
        }
        return laterRounds ? (tick + SLOTS) * TICK : NEVER;
    }

    private static void expire(Deadline deadline, long now) {
        try {
            deadline.expired(now);
        } catch (RuntimeException | Error e) { // The others are due all the same, and those of the next hour.
            LOG.error("What a deadline was to do ended in an error that nobody expected", e);
        }
    }

    private Slot slot(long tick) {
        return slots[(int) (tick & (SLOTS - 1))];
    }
}
