package dev.kvorum.node.boot;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/**
 * Looks at how busy the processors are that this node runs on, or its share of them where it has one (control groups): whoever makes them busy,
 * there is none to spare. Reading it takes files of the system, so no event loop does. It tells what was used since anybody read it last: there is one reader for all who follow it, and a metric
 * that is read as well shortens one period now and then.
 */
final class LoadWatch implements AutoCloseable {
    private static final int PERIOD_MILLIS = 100;

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final List<DoubleConsumer> followers = new CopyOnWriteArrayList<>();
    private final Disposable looking = Schedulers.boundedElastic()
            .schedulePeriodically(this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);

    /** Tells the load ten times a second, by one thread at a time: a share from 0 to 1; below 0 or not a number where it is not known. */
    void follow(DoubleConsumer follower) {
        followers.add(follower);
    }

    private void look() {
        double load = system.getCpuLoad();
        followers.forEach(follower -> follower.accept(load));
    }

    @Override
    public void close() {
        looking.dispose();
    }
}
