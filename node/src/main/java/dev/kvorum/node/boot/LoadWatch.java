package dev.kvorum.node.boot;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Looks at how busy the processors are that this node runs on, or its share of them where it has one (control groups): whoever makes them busy,
 * there is none to spare. Reading it takes files of the system, so no event loop does; it takes some 0.4 ms of a processor as well, for which requests wait, so nobody does while it is of no use.
 * It tells what was used since anybody read it last: there is one reader for all who follow it, a metric that is read as well shortens one period now and then, and
 * what is read first after a while tells of all that while, so nobody is told.
 */
final class LoadWatch implements AutoCloseable {
    static final int PERIOD_MILLIS = 100;

    private final DoubleSupplier load;
    private final Scheduler scheduler;
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    private boolean isRecent; // The last reading. Of whoever looks: one thread at a time.
    private volatile boolean closed;

    private record Follower(BooleanSupplier needsIt, DoubleConsumer told) {}

    LoadWatch() {
        this(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)::getCpuLoad, Schedulers.boundedElastic());
    }

    LoadWatch(DoubleSupplier load, Scheduler scheduler) {
        this.load = load;
        this.scheduler = scheduler;
    }

    /**
     * Tells the load ten times a second, by one thread at a time: a share from 0 to 1; below 0 or not a number where it is not known.
     *
     * @param needsIt is asked before each time; once nobody needs it, nobody is told any more, until {@link #wake} is called
     */
    void follow(BooleanSupplier needsIt, DoubleConsumer follower) {
        followers.add(new Follower(needsIt, follower));
        wake();
    }

    /** To be called by whoever needs it again: a period later it is read, and after another one told. Any thread; never blocks. */
    void wake() {
        if (awake.compareAndSet(false, true)) {
            lookLater();
        }
    }

    private void lookLater() {
        try {
            var _ = scheduler.schedule(this::look, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            closed = true; // The node stops: nobody adapts to anything any more.
        }
    }

    private void look() {
        if (closed) {
            return;
        }
        if (isNeeded()) {
            double share = load.getAsDouble();
            if (isRecent) {
                followers.forEach(follower -> follower.told.accept(share));
            }
            isRecent = true;
            lookLater();
        } else {
            isRecent = false;
            awake.set(false);
            if (isNeeded()) {
                wake(); // Whoever needs it since has found this awake.
            }
        }
    }

    private boolean isNeeded() {
        return followers.stream().anyMatch(follower -> follower.needsIt.getAsBoolean());
    }

    @Override
    public void close() {
        closed = true;
    }
}
