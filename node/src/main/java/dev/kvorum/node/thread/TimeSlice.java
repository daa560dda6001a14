package dev.kvorum.node.thread;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the system lets a thread run before it looks for another. Linux gives each thread the same part of the processors whatever its
 * slice is, and who asks for short ones is served sooner: a thread that wakes with something to do takes the processor from one with a
 * longer slice, instead of waiting until that has used it up.
 *
 * <p>Threads of requests do a few microseconds of work at a time. Beside the JVM's compilers, flushes and other processes they would
 * wait up to 1.4 ms and more for each of them.
 *
 * <p>Of Linux 6.12 and later, on x86-64 and AArch64. Needs no right. May be called by any thread, for itself.
 *
 * @see <a href="https://docs.kernel.org/scheduler/sched-eevdf.html">the scheduler</a>
 */
public final class TimeSlice {
    /** The shortest that the system gives, in nanoseconds. */
    public static final long SHORTEST = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(TimeSlice.class);
    private static final @Nullable SchedulingCalls CALLS = calls();

    private TimeSlice() {}

    private static @Nullable SchedulingCalls calls() {
        try {
            return SchedulingCalls.of(System.getProperty("os.name"), System.getProperty("os.arch"));
        } catch (UnsupportedOperationException | NoSuchElementException | IllegalCallerException e) {
            LOG.debug("Threads of requests have the slices that all have: {}", e.getMessage());
            return null;
        }
    }

    /** Asks for {@link #SHORTEST} slices of the calling thread, and not of those that it starts. Nothing changes where there are none. */
    public static void shorten() {
        if (CALLS != null && !CALLS.setSlice(SHORTEST)) {
            LOG.debug(
                    "The system does not shorten the slices of {}",
                    Thread.currentThread().getName());
        }
    }

    /** Of the calling thread, in nanoseconds; 0 where the system does not tell. */
    public static long ofThisThread() {
        return CALLS == null ? 0 : CALLS.slice();
    }
}
