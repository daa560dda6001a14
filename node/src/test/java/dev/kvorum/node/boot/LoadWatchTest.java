package dev.kvorum.node.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.repair.Restraint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class LoadWatchTest {
    private static final Duration PERIOD = Duration.ofMillis(LoadWatch.PERIOD_MILLIS);

    private final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();
    private final AtomicInteger looked = new AtomicInteger();
    private final LoadWatch watch = new LoadWatch(() -> looked.incrementAndGet() / 10.0, scheduler);
    private final List<Double> told = new ArrayList<>();

    @AfterEach
    void close() {
        watch.close();
    }

    private void pass(int periods) {
        scheduler.advanceTimeBy(PERIOD.multipliedBy(periods));
    }

    @Test
    void nobodyLooksWhileNobodyNeedsIt() {
        AtomicBoolean needsIt = new AtomicBoolean();
        watch.follow(needsIt::get, told::add);

        pass(10);
        assertThat(looked).hasValue(0);

        needsIt.set(true);
        watch.wake();
        watch.wake();
        pass(3);
        assertThat(told).as("the first tells of all the time before").containsExactly(0.2, 0.3);

        needsIt.set(false);
        pass(10);
        assertThat(looked).hasValue(3);

        needsIt.set(true);
        watch.wake();
        pass(2);
        assertThat(told).containsExactly(0.2, 0.3, 0.5);
    }

    @Test
    void whoComesToNeedItWhileTheLastLookEndsIsToldAllTheSame() {
        AtomicInteger asked = new AtomicInteger();
        watch.follow(
                () -> {
                    if (asked.getAndIncrement() > 0) {
                        return true;
                    }
                    watch.wake(); // As another thread does that begins to need it just now, and finds this awake.
                    return false;
                },
                told::add);

        pass(3);

        assertThat(told).containsExactly(0.2);
    }

    @Test
    void allAreToldWhatOneNeedsAndItIsReadOnce() {
        List<Double> other = new ArrayList<>();
        watch.follow(() -> false, told::add);
        watch.follow(() -> true, other::add);
        watch.follow(() -> true, _ -> {});

        pass(3);

        assertThat(told).containsExactly(0.2, 0.3).isEqualTo(other);
        assertThat(looked).hasValue(3);
    }

    @Test
    void repairIsHeldBackWhileItReadsOnBusyProcessorsAndNobodyLooksAfterwards() {
        AtomicInteger reads = new AtomicInteger();
        AtomicReference<Double> share = new AtomicReference<>(0.9);
        try (LoadWatch ofRepair = new LoadWatch(
                () -> {
                    reads.incrementAndGet();
                    return share.get();
                },
                scheduler)) {
            Restraint restraint = new Restraint(0.4, ofRepair::wake);
            ofRepair.follow(restraint::needsLoad, restraint::sample);
            pass(10);
            assertThat(reads).hasValue(0);

            for (int i = 0; i < 15; i++) {
                restraint.askNanosPerKib();
                pass(1);
            }
            assertThat(restraint.nanosPerKib()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));

            share.set(0.1);
            pass(100);
            assertThat(restraint.nanosPerKib()).isZero();
            int until = reads.get();
            pass(100);
            assertThat(reads).hasValue(until);
        }
    }

    @Test
    void closedItLooksNoMore() {
        watch.follow(() -> true, told::add);
        pass(2);
        watch.close();

        pass(3);

        assertThat(told).hasSize(1);
        assertThat(looked).hasValue(2);
    }
}
