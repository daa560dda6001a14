package dev.kvorum.node.boot;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import reactor.core.Disposable;
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
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private final Disposable looking;
    private boolean isRecent; // The last reading. Of one thread at a time.

    private record Follower(BooleanSupplier needsIt, DoubleConsumer told) {}

    LoadWatch() {
        this(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)::getCpuLoad, Schedulers.boundedElastic());
    }

    LoadWatch(DoubleSupplier load, Scheduler scheduler) {
        this.load = load;
        this.looking = scheduler.schedulePeriodically(this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Tells the load ten times a second, by one thread at a time: a share from 0 to 1; below 0 or not a number where it is not known.
     *
     * @param needsIt is asked each time; if nobody needs it, nobody is told, else all are, once it has been needed for two periods
     */
    void follow(BooleanSupplier needsIt, DoubleConsumer follower) {
        followers.add(new Follower(needsIt, follower));
    }

    private void look() {
        boolean isNeeded = followers.stream().anyMatch(follower -> follower.needsIt.getAsBoolean());
        if (isNeeded) {
            double share = load.getAsDouble();
            if (isRecent) {
                followers.forEach(follower -> follower.told.accept(share));
            }
        }
        isRecent = isNeeded;
    }

    @Override
    public void close() {
        looking.dispose();
    }
}
