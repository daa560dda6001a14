package dev.kvorum.node.boot;

import com.sun.management.OperatingSystemMXBean;
import dev.kvorum.node.coordinator.AdaptiveFanOut;
import dev.kvorum.node.coordinator.FanOut;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;

/**
 * Looks at how busy the processors are that this node runs on, or its share of them where it has one (control groups): whoever makes them busy,
 * there is none to spare. Reading it takes files of the system, so no event loop does.
 */
final class LoadWatch implements AutoCloseable {
    private final Disposable.Composite looking = Disposables.composite();

    /** A fan-out that follows the load until this is closed. */
    FanOut adaptiveFanOut() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        AdaptiveFanOut fanOut = new AdaptiveFanOut(system::getCpuLoad);
        int period = AdaptiveFanOut.SAMPLE_MILLIS;
        looking.add(Schedulers.boundedElastic()
                .schedulePeriodically(fanOut::sample, period, period, TimeUnit.MILLISECONDS));
        return fanOut;
    }

    @Override
    public void close() {
        looking.dispose();
    }
}
