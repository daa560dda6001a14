package dev.kvorum.node.thread;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the system lets a thread run before it looks for another. Linux gives each thread the same part of the processors whatever its
 * slice is, and who asks for short ones is served sooner: a thread that wakes takes the processor from one with a longer slice, unless it
 * has had more than its part, instead of waiting until the other's is used up.
 *
 * <p>Threads of requests do a few microseconds of work at a time. Beside the JVM's compilers, flushes and other processes they would
 * wait for some milliseconds each time.
 *
 * <p>Of Linux 6.12 and later, on x86-64 and AArch64. Needs no right. Any platform thread, for itself; the first of a process logs what came of it.
 *
 * @see <a href="https://docs.kernel.org/scheduler/sched-eevdf.html">the scheduler</a>
 */
public final class TimeSlice {
    /** The shortest that the system gives, in nanoseconds. */
    public static final long SHORTEST = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(TimeSlice.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();
    private static final @Nullable SchedulingCalls CALLS = calls();

    private TimeSlice() {}

    /** Null on other systems, and in a JVM that lets nobody call its own: what is asked for here is worth no failure. */
    private static @Nullable SchedulingCalls calls() {
        try {
            return SchedulingCalls.of(System.getProperty("os.name"), System.getProperty("os.arch"));
        } catch (RuntimeException | Error e) {
            tell("all have, as " + e.getMessage());
            return null;
        }
    }

    private static void tell(String whatCameOfIt) {
        if (TOLD.compareAndSet(false, true)) {
            LOG.info("Threads of requests have the time slices that {}", whatCameOfIt);
        }
    }

    /** Asks for {@link #SHORTEST} slices of the calling thread, and not of those that it starts. Never throws; where there are none, nothing changes. */
    public static void shorten() {
        if (CALLS == null) {
            return;
        }
        try {
            CALLS.setSlice(SHORTEST);
            tell("they asked for: " + SHORTEST / 1000 + " us");
        } catch (RuntimeException | Error e) {
            tell("all have, as " + e.getMessage());
        }
    }

    /** Of the calling thread, in nanoseconds; 0 where the system does not tell. */
    public static long ofThisThread() {
        return CALLS == null ? 0 : CALLS.slice();
    }
}
